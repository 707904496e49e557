import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

type Look = { values: string[]; within: string | undefined };
type Answer = { passes: number; found: string[] };

/** In the page: runs axe. Only violations are collected, because a report of all passes takes several times as long. */
async function runAxe({ values, within }: Look): Promise<Answer> {
  const { axe } = window as unknown as { axe: typeof import("axe-core") };
  const { violations, passes } = await axe.run(within ?? document, {
    runOnly: { type: "tag", values },
    resultTypes: ["violations"],
    // The one rule that reads style sheets asks whether a page turns with its device. No style of ours asks that of a page.
    preload: false,
  });
  const places = (nodes: { html: string }[]) =>
    nodes
      .slice(0, 3)
      .map(({ html }) => html.slice(0, 160))
      .join(" | ");
  return { passes: passes.length, found: violations.map(({ id, nodes }) => `${id}: ${places(nodes)}`) };
}

/**
 * The violations that axe finds on the open page, a line each: the rule and the first places. `within` is the selector of
 * the part to look at, such as an open dialog; without it axe looks at the whole page.
 */
export async function violationsOn(page: Page, within?: string): Promise<string[]> {
  // React may put a page's title in place after everything else. Without any, axe says so.
  await page.waitForFunction(() => document.title, undefined, { timeout: 30_000 }).catch(() => undefined);
  const isLoaded = await page.evaluate(() => "axe" in window);
  if (!isLoaded) await page.evaluate(axe);
  const { found, passes } = await page.evaluate(runAxe, { values: RULES, within });
  // A page that was not checked has no violations either.
  return passes < 10 ? [`axe checked next to nothing: ${passes} rules passed`] : found;
}
