export type Schema = {
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

/** An example of a schema: every field with a value of its kind. A choice shows its first kind, a list one element. */
export function sampleOf(schema: Schema, name = ""): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [choice] = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  if (choice) return sampleOf(choice, name);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => sampleOf(part, name)));
  switch (kindOf(schema)) {
    case "object":
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([field, part]) => [field, sampleOf(part, field)]),
      );
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

export type Parameter = { name?: string; in?: string; required?: boolean; $ref?: string };

type WithParameters<P> = { parameters?: P };

/** The parameters of a call, with those that it shares with others; undefined where it has none. */
export const parametersOf = (
  { parameters }: WithParameters<Parameter[]>,
  { parameters: shared }: WithParameters<Record<string, Parameter>>,
) => parameters?.map((one) => shared?.[one.$ref?.split("/").at(-1) ?? ""] ?? one);
