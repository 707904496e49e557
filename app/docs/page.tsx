import { getTranslations } from "next-intl/server";
import { keepLocaleAction } from "@/app/_session/actions";
import { apiDocument } from "@/app/api/openapi.json/document";
import { type ApiDocument, ApiReference } from "@/components/docs/api-reference";
import { PageTools } from "@/components/theme/switches";

export async function generateMetadata() {
  return { title: (await getTranslations("docs"))("title") };
}

/** The API's reference, read from the very document that openapi.json answers. */
export default async function DocsPage() {
  const t = await getTranslations("common");
  return (
    <ApiReference
      document={apiDocument() as unknown as ApiDocument}
      product={t("appName")}
      tools={<PageTools onLocale={keepLocaleAction} />}
    />
  );
}
