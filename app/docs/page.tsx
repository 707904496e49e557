import { getTranslations } from "next-intl/server";
import { apiDocument } from "@/app/api/openapi.json/document";
import { type ApiDocument, ApiReference } from "@/components/docs/api-reference";

export async function generateMetadata() {
  return { title: (await getTranslations("docs"))("title") };
}

/** The API's reference, read from the very document that openapi.json answers. */
export default function DocsPage() {
  return <ApiReference document={apiDocument() as unknown as ApiDocument} />;
}
