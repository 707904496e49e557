import type { ApiDocument } from "@/components/docs/api-reference";
import arabic from "@/messages/docs.ar.json";

type Texts = { tags: Record<string, { title: string; text: string }>; calls: Record<string, string> };
const { tags, calls }: Texts = arabic;

/** The document with its sentences in Arabic. Names of fields, codes and examples stay: they are for programs. */
export function inArabic(document: ApiDocument): ApiDocument {
  return {
    ...document,
    tags: document.tags.map(({ name, description }) => ({
      name,
      title: tags[name]?.title ?? name,
      description: tags[name]?.text ?? description,
    })),
    paths: Object.fromEntries(
      Object.entries(document.paths).map(([path, methods]) => [
        path,
        Object.fromEntries(
          Object.entries(methods).map(([method, call]) => [
            method,
            { ...call, summary: calls[call.operationId] ?? call.summary },
          ]),
        ),
      ]),
    ),
  };
}
