import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { clientTextsOf } from "./client-texts";

const root = mkdtempSync(join(tmpdir(), "wallet-texts-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const MESSAGES = {
  list: { empty: "None", order: { up: "Up", down: "Down" } },
  email: { subject: "Hello" },
  errors: { customer_frozen: "Frozen", customer_blocked: "Blocked", internal: "Sorry" },
  validation: { email: "Not an e-mail", phone: "Not a phone" },
};

function textsOf(files: Record<string, string>): string[] {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return [...clientTextsOf(root, MESSAGES)("app/page.tsx")].sort();
}

test("texts of server components stay on the server, those of client components below them do not", () => {
  const found = textsOf({
    "app/page.tsx": `import { Box } from "@/components/box";
      export default function Page() { const t = useTranslations("email"); return <Box>{t("subject")}</Box>; }`,
    "components/box.tsx": `"use client";
      import { helper } from "./helper";
      export function Box() { const t = useTranslations("list"); helper(); return t("empty"); }`,
    "components/helper.ts": `export function helper() { const t = useTranslations("errors"); return t("internal"); }`,
  });
  expect(found).toEqual(["errors.internal", "list.empty"]);
});

test("a key may be a choice, a template, a constant, a literal of a schema, or come with code that is loaded later", () => {
  const found = textsOf({
    "app/page.tsx": `"use client";
      import type { Unused } from "./types";
      import { schema } from "./schema";
      const later = () => import("./later");
      export default function Page({ up, status }) {
        const t = useTranslations("list");
        const errors = useTranslations("errors");
        const order = up ? "order.up" : "order.down";
        useMemo(() => t(order), [t]);
        return errors(\`customer_\${status}\`);
      }`,
    "app/schema.ts": `export const schema = z.email("validation.email");`,
    "app/later.tsx": `export function Later() { const t = useTranslations(); return t("validation.phone"); }`,
    "app/types.ts": `export const unused = "email.subject"; export type Unused = 1;`,
  });
  expect(found).toEqual([
    "errors.customer_blocked",
    "errors.customer_frozen",
    "list.order.down",
    "list.order.up",
    "validation.email",
    "validation.phone",
  ]);
});

test("a translator that is handed on may be asked for anything, and an unknown key is an error", () => {
  const page = (body: string) => ({
    "app/page.tsx": `"use client"; export function P() { const t = useTranslations("list"); ${body} }`,
  });
  expect(textsOf(page("return other(t);"))).toEqual(["list.empty", "list.order.down", "list.order.up"]);
  expect(() => textsOf(page('return t("nothing");'))).toThrow(/no text of the catalogue is nothing/);
});
