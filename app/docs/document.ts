import type { ApiDocument } from "@/components/docs/api-reference";
import arabic from "@/messages/docs.ar.json";

type Schema = {
  $ref?: string;
  const?: unknown;
  enum?: unknown[];
  type?: string | string[];
  format?: string;
  pattern?: string;
  minimum?: number;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  additionalProperties?: Schema | boolean;
};

const ID = "7c0e1a52-5c0f-4c6e-9a34-2f1d8b6e4a10";
const DAY = "2026-03-01";

const BY_FORMAT: Record<string, string> = {
  "date-time": `${DAY}T09:30:00.000Z`,
  date: DAY,
  email: "layla@example.com",
  uri: "https://wallet.example.com/",
  uuid: ID,
};

/** An example of a text by its name. A name that is not here is shown as an ellipsis. */
const BY_NAME: [RegExp, string][] = [
  [/^d[A-Z]/, `${DAY}T09:30:00.000Z`],
  [/(^_id|Id|UUID|RecordId)$/, ID],
  [/^sBusinessNameAr$/, "بيت الكرك"],
  [/^(sBusinessName|sMerchant)$/, "Karak House"],
  [/^(sBranchName|sBranch)$/, "West Bay"],
  [/^sCity$/, "Doha"],
  [/^sFirstName$/, "Layla"],
  [/^sLastName$/, "Haddad"],
  [/^(sName|sFullName|sCustomer|sCashier|sChangedBy|sAskedBy|sDecidedBy|sStaffName)$/, "Layla Haddad"],
  [/^sEmail$/, "layla@example.com"],
  [/^sPhoneNumber$/, "+97455512345"],
  [/(Value|Amount)$/, "120.00"],
  [/^sReceiptNumber$/, "K7M2QD-14"],
  [/^sSaleRef$/, "INV-1042"],
  [/(Till|TillName)$/, "Front"],
  [/^(sColor|sColour)$/, "#8a1538"],
  [/(Url|Uri|Link)$/, "https://wallet.example.com/…"],
  [/^message$/, "Done"],
];

function textOf({ format, pattern }: Schema, name: string): string {
  const known = format ? BY_FORMAT[format] : undefined;
  return known ?? (pattern ? undefined : BY_NAME.find(([names]) => names.test(name))?.[1]) ?? "…";
}

const kindOf = ({ type, properties }: Schema): string | undefined =>
  (Array.isArray(type) ? type.find((one) => one !== "null") : type) ?? (properties ? "object" : undefined);

function objectOf(schema: Schema): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, part]) => [name, sampleOf(part, name)]),
  );
}

/** An example of a schema: every field with a value of its kind. A choice shows its first kind, a list one element. */
export function sampleOf(schema: Schema, name = ""): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [choice] = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (choice) return sampleOf(choice, name);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => sampleOf(part, name)));
  switch (kindOf(schema)) {
    case "object":
      return objectOf(schema);
    case "array":
      return schema.items ? [sampleOf(schema.items, name)] : [];
    case "integer":
    case "number":
      return Math.max(schema.minimum ?? 0, 0);
    case "boolean":
      return true;
    case "string":
      return textOf(schema, name);
    default:
      return null;
  }
}

type Call = ApiDocument["paths"][string][string];

function withSample(call: Call, shared: ApiDocument["components"]["parameters"] = {}): Call {
  const { "200": success, ...others } = call.responses;
  const json = success?.content?.["application/json"];
  const shown = json && { "application/json": { ...json, example: sampleOf(json.schema) } };
  return {
    ...call,
    ...(call.parameters && {
      parameters: call.parameters.map((one) => shared[one.$ref?.split("/").at(-1) ?? ""] ?? one),
    }),
    responses: success && shown ? { "200": { ...success, content: shown }, ...others } : call.responses,
  };
}

function mapCalls({ paths }: ApiDocument, change: (call: Call) => Call): ApiDocument["paths"] {
  const changed = Object.entries(paths).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).map(([method, call]) => [method, change(call)])),
  ]);
  return Object.fromEntries(changed);
}

/** The document as a page shows it: an example of each answer, and the parameters that calls share by their names. */
export function withSamples(document: ApiDocument): ApiDocument {
  return {
    ...document,
    paths: mapCalls(document, (call) => withSample(call, document.components.parameters)),
  };
}

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
    paths: mapCalls(document, (call) => ({ ...call, summary: calls[call.operationId] ?? call.summary })),
  };
}
