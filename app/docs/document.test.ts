import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import type { ApiDocument } from "@/components/docs/api-reference";
import { parametersOf, sampleOf } from "@/components/docs/sample";
import { apiDocument } from "@/lib/api/table";
import arabic from "@/messages/docs.ar.json";
import { inArabic } from "./document";

const document: ApiDocument = (await apiDocument()) as unknown as ApiDocument;
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);

test("the example of every answer is one that its schema allows", () => {
  const wrong = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) => {
      const schema = responses["200"]?.content?.["application/json"]?.schema;
      if (!schema || ajv.validate(schema, sampleOf(schema))) return [];
      return [`${method} ${path}: ${ajv.errorsText()}`];
    }),
  );
  expect(wrong).toEqual([]);
});

test("an example says what its fields hold", () => {
  expect(
    sampleOf({
      type: "object",
      properties: {
        sFullName: { type: "string" },
        sBalance: { type: "integer", minimum: -9 },
        eStatus: { type: "string", enum: ["active", "blocked"] },
        branch: {
          anyOf: [{ type: "object", properties: { sBranchName: { type: "string" } } }, { type: "null" }],
        },
        results: { type: "array", items: { type: "object", properties: { _id: { type: "string" } } } },
      },
    }),
  ).toEqual({
    sFullName: "Layla Haddad",
    sBalance: 0,
    eStatus: "active",
    branch: { sBranchName: "West Bay" },
    results: [{ _id: expect.any(String) }],
  });
});

test("a parameter that calls share has its name", () => {
  const names = Object.values(document.paths)
    .flatMap((methods) => Object.values(methods))
    .map((call) => (parametersOf(call, document.components) ?? []).map(({ name }) => name));
  expect(names).toContainEqual(["DPoP", "Idempotency-Key"]);
  expect(names.flat()).not.toContain(undefined);
});

test("the reference has each call and each tag in Arabic, and nothing else", () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(Object.keys(arabic.calls).sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
  expect(Object.keys(arabic.tags).sort()).toEqual(document.tags.map(({ name }) => name).sort());
  const translated = inArabic(document);
  for (const { summary } of Object.values(translated.paths).flatMap((methods) => Object.values(methods)))
    expect(summary).toMatch(/[\u0600-\u06ff]/);
  for (const { title } of translated.tags) expect(title).toMatch(/[\u0600-\u06ff]/);
});
