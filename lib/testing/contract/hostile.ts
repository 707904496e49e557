import fc from "fast-check";

type Schema = {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
};

/** Texts that are known to break programs. */
const TEXTS = [
  "",
  " ",
  "\0",
  "a\0b",
  "\ud800",
  "\u202e\u0627\u0644\u0633\u0644\u0627\u0645",
  "١٢٣",
  "۴۵",
  "１２",
  "ﷺ".repeat(40),
  "👩‍👩‍👧‍👦",
  "z̴̗͝a̶͍͐l̸̹̈g̵̪̕o̵̜͊",
  "\r\nSet-Cookie: a=b",
  "' or 1=1; drop table movements; --",
  "%' escape '\\",
  "\\",
  "%_%",
  "{{7*7}}%{7*7}",
  "../../etc/passwd",
  "<script>alert(1)</script>",
  "__proto__",
  "constructor",
  "toString",
  "NaN",
  "Infinity",
  "-0",
  "1e3",
  "1.5",
  "0x10",
  "9007199254740993",
  "99999999999999999999",
  "2026-02-30",
  "0000-00-00",
  "9999-12-31",
  "-1",
  "0",
  "null",
  "undefined",
  "[object Object]",
  "00000000-0000-0000-0000-000000000000",
  "x".repeat(5_000),
];
const NUMBERS = [0, -0, -1, 0.5, 1e-7, 2_147_483_648, 2 ** 53, -(2 ** 63), 1e21, 1e308, 5_000, 20_001];

export const hostileText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 60 }) },
);

const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom<unknown>(...NUMBERS),
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], { $ne: null }, { length: 3 }),
  fc.array(hostileText, { maxLength: 3 }),
  fc.dictionary(hostileText, hostileText, { maxKeys: 3 }),
  fc.jsonValue({ maxDepth: 3 }),
);

const PLAIN = ["Layla", "ليلى حداد", "Doha", "55123456", "+974 5512 3456", "١٠٠", "a long new password"];

/** Values that match a schema of the document, or almost. `words` (existing ids and e-mails) are among the texts. */
export function hostileValues(schema: Schema, words: string[]): fc.Arbitrary<unknown> {
  const within = (inner: Schema) => hostileValues(inner, words);
  const { anyOf = schema.oneOf, allOf } = schema;
  if (anyOf) return fc.oneof(...anyOf.map(within));
  if (allOf?.[0]) return within(allOf[0]);
  if ("const" in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  switch ([schema.type].flat()[0]) {
    case "integer":
    case "number":
      return fc.oneof(fc.integer({ min: 1, max: 200 }), fc.constantFrom(...NUMBERS));
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(within(schema.items ?? {}), { maxLength: 4 });
    case "object":
      return object(schema, words);
    case "string":
      if (schema.format === "date") return fc.constantFrom("1995-04-12", "2026-11-21", "2026-02-30");
      return fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(...words) },
        { weight: 2, arbitrary: fc.constantFrom(...PLAIN) },
        { weight: 2, arbitrary: hostileText },
      );
    default:
      return hostileValue;
  }
}

function object(schema: Schema, words: string[]): fc.Arbitrary<unknown> {
  const properties = Object.entries(schema.properties ?? {}).map(([name, inner]) => [
    name,
    fc.oneof({ weight: 12, arbitrary: hostileValues(inner, words) }, { weight: 1, arbitrary: hostileValue }),
  ]);
  const shape = Object.fromEntries(properties) as Record<string, fc.Arbitrary<unknown>>;
  const whole = fc.record(shape, { requiredKeys: schema.required ?? [] });
  const partial = fc.record(shape, { requiredKeys: [] });
  const more = fc.dictionary(
    fc.constantFrom("__proto__", "constructor", "id", "merchantId", "role"),
    hostileValue,
  );
  return fc.oneof(
    { weight: 6, arbitrary: whole },
    { weight: 1, arbitrary: partial },
    { weight: 1, arbitrary: fc.tuple(whole, more).map(([some, others]) => ({ ...some, ...others })) },
  );
}

/** Request bodies of a careless or hostile client. */
export function bodyOf(schema: Schema, words: string[]): fc.Arbitrary<{ body?: unknown; raw?: string }> {
  return fc.oneof(
    { weight: 12, arbitrary: hostileValues(schema, words).map((body) => ({ body })) },
    { weight: 1, arbitrary: hostileValue.map((body) => ({ body })) },
    {
      weight: 1,
      arbitrary: fc.constantFrom("", "{", "[", "{}}", "\ufeff{}", "x".repeat(70_000)).map((raw) => ({ raw })),
    },
  );
}
