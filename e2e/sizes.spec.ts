import { gzipSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { LOCALES } from "@/lib/domain/roles";
import { topUp } from "@/lib/ledger/move-points";
import { contextOf, makeCustomer } from "@/lib/testing/factories";
import { expect, signIn, test } from "./support/test";

// The heaviest that a page may be: its HTML as it is, and the scripts that the first HTML names, with gzip. kB of 1,024
// bytes, in the heavier language. Bytes do not depend on the machine; `npm run bench:web` says what they cost a phone.
const MOST_HTML = 120;
const MOST_JS = 230;
type Weight = { html: number; js: number };
/** A word of zod, which these pages load after they have shown themselves: it is a fifth of a page's scripts, and slow to start. */
const ZOD = "$ZodError";
const WITHOUT_ZOD = ["sign-in", "sign-up", "customer sign-up", "card", "counter"];

// A page of a list is full.
const CUSTOMERS = 26;
const MOVEMENTS = 52;
const TIMES = 4;
const kB = (bytes: number) => Math.round((bytes / 1024) * 10) / 10;

/** The scripts that an HTML names by a tag or a preload, except those for browsers without modules. */
function scriptsOf(html: string): string[] {
  const tags = [...html.matchAll(/<(?:script|link)\b[^>]*>/g)].map(([tag]) => tag);
  const named = tags
    .filter((tag) => !/\bnomodule\b/i.test(tag))
    .flatMap((tag) => {
      const address = /\b(?:src|href)="([^"]+)"/.exec(tag)?.[1];
      const isScript = tag.startsWith("<script") || /\b(?:as="script"|rel="modulepreload")/.test(tag);
      return address && isScript ? [address] : [];
    });
  return [...new Set(named)];
}

/** The lightest of some answers: a part that is not there within 100 ms comes with a placeholder, on a busy machine. */
async function htmlOf(page: Page, path: string): Promise<string> {
  const answers: string[] = [];
  for (let time = 0; time < TIMES; time++) {
    const answer = await page.request.get(path);
    expect(answer.status(), path).toBe(200);
    answers.push(await answer.text());
  }
  return answers.sort((one, other) => one.length - other.length)[0] ?? "";
}

type Script = { gzipped: number; hasZod: boolean };

async function weigh(
  page: Page,
  path: string,
  scripts: Map<string, Script>,
): Promise<Weight & { hasZod: boolean }> {
  const html = await htmlOf(page, path);
  let js = 0;
  let hasZod = false;
  for (const script of scriptsOf(html)) {
    let known = scripts.get(script);
    if (!known) {
      const body = await (await page.request.get(script)).body();
      known = { gzipped: gzipSync(body).length, hasZod: body.includes(ZOD) };
      scripts.set(script, known);
    }
    js += known.gzipped;
    hasZod ||= known.hasZod;
  }
  return { html: kB(Buffer.byteLength(html)), js: kB(js), hasZod };
}

test("no page has more than 120 kB of HTML or 230 kB of scripts", async ({
  page,
  context,
  db,
  shop,
  baseURL,
}) => {
  test.slow();
  const customers = await Promise.all(
    Array.from({ length: CUSTOMERS }, (_, index) =>
      makeCustomer(db, shop, { fullName: `Maryam Al Kuwari ${index}` }),
    ),
  );
  const worker = contextOf(db, shop.worker);
  for (let index = 0; index < MOVEMENTS; index++) {
    const customer = customers[index % CUSTOMERS];
    if (!customer) throw new Error("no customer");
    const sale = { tender: "card", saleRef: `B-${1000 + index}` } as const;
    await topUp(worker, { customerId: customer.id, points: 100 + index, branchId: shop.branch.id, ...sale });
  }
  const scripts = new Map<string, Script>();
  const rows: string[] = [];
  const heavier: string[] = [];
  for (const locale of LOCALES) {
    const note = async (name: string, path: string) => {
      const { html, js, hasZod } = await weigh(page, path, scripts);
      const row = `${locale} ${name.padEnd(17)} HTML ${html.toFixed(1).padStart(6)} kB   JS ${js.toFixed(1).padStart(6)} kB`;
      rows.push(row);
      if (html > MOST_HTML || js > MOST_JS) heavier.push(row);
      if (hasZod && WITHOUT_ZOD.includes(name)) heavier.push(`${row}   zod`);
    };
    await context.clearCookies();
    await context.addCookies([{ name: "locale", value: locale, url: baseURL ?? "" }]);
    await note("sign-in", "/login");
    await note("sign-up", "/signup");
    await note("customer sign-up", `/customer/signup/${shop.merchant.publicId}`);
    await note("card", `/customer/loyalty-card/${customers[0]?.id}`);
    await signIn(db, page, shop.worker);
    await note("counter", "/employee/topup");
    await signIn(db, page, shop.owner);
    await note("customers", "/merchant/customers");
    await note("transactions", "/merchant/transactions");
    await note("dashboard", "/merchant/dashboard");
  }
  console.log(rows.join("\n"));
  expect(heavier).toEqual([]);
});
