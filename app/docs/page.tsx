import { getLocale } from "next-intl/server";
import { type ApiDocument, ApiReference } from "@/components/docs/api-reference";
import { errorList } from "@/lib/api/openapi";
import { pageTitle } from "@/lib/api/page";
import { apiDocument } from "@/lib/api/table";
import { inArabic } from "./document";

export const generateMetadata = pageTitle("docs.title");

export default async function DocsPage() {
  const locale = await getLocale();
  const document = (await apiDocument()) as unknown as ApiDocument;
  return (
    <ApiReference
      document={locale === "ar" ? inArabic(document) : document}
      errors={errorList(locale === "ar" ? "ar" : "en")}
    />
  );
}
