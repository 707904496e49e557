import { expect, test } from "vitest";
import type { ApiDocument } from "@/components/docs/api-reference";
import { apiDocument } from "@/lib/api/table";
import arabic from "@/messages/docs.ar.json";
import { inArabic } from "./arabic";

const document = (await apiDocument()) as unknown as ApiDocument;
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

test("the reference has each call and each tag in Arabic, and nothing else", () => {
  expect(Object.keys(arabic.calls).sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
  expect(Object.keys(arabic.tags).sort()).toEqual(document.tags.map(({ name }) => name).sort());
  const translated = inArabic(document);
  for (const { summary } of Object.values(translated.paths).flatMap((methods) => Object.values(methods)))
    expect(summary).toMatch(/[\u0600-\u06ff]/);
  for (const { title } of translated.tags) expect(title).toMatch(/[\u0600-\u06ff]/);
});
