import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

type Part = { within?: string; without?: string[]; rules?: string[] };
type RunOnly = import("axe-core").RunOnly;
type Answer = { passes: number; found: string[] };

/** In the page: runs axe. Only violations are collected, because a report of all passes takes several times as long. */
async function runAxe({
  within,
  without = [],
  only,
}: Omit<Part, "rules"> & { only: RunOnly }): Promise<Answer> {
  const { axe } = window as unknown as { axe: typeof import("axe-core") };
  const { violations, passes } = await axe.run(
    { include: within ?? document, exclude: without },
    {
      runOnly: only,
      resultTypes: ["violations"],
      // The one rule that reads style sheets asks whether a page turns with its device. No style of ours asks that of a page.
      preload: false,
    },
  );
  const places = (nodes: { html: string }[]) =>
    nodes
      .slice(0, 3)
      .map(({ html }) => html.slice(0, 160))
      .join(" | ");
  return {
    passes: passes.length,
    found: violations.map(({ id, nodes }) => `${id}: ${places(nodes)}`),
  };
}

/**
 * Leaves of the elements that `selector` selects one of each shape: of those with the same tags and classes inside, in
 * whatever number. Axe takes half a minute for a thousand elements that are drawn alike.
 */
export async function keepOneOfEachShape(page: Page, selector: string): Promise<void> {
  await page.evaluate((all) => {
    const shapes = new Set<string>();
    for (const element of document.querySelectorAll(all)) {
      const inside = [element, ...element.querySelectorAll("*")].map(
        (one) => `${one.parentElement?.tagName} ${one.tagName} ${one.getAttribute("class")}`,
      );
      const shape = [...new Set(inside)].sort().join();
      if (shapes.has(shape)) element.remove();
      shapes.add(shape);
    }
  }, selector);
}

/**
 * The violations that axe finds on the open page, a line each: the rule and the first places. `within` is the selector of
 * the part to look at, such as an open dialog, and `without` has those of parts to leave out; without both axe looks at
 * the whole page. `rules` are the names of those to check, if not all.
 */
export async function violationsOn(page: Page, { rules, ...part }: Part = {}): Promise<string[]> {
  // React may put a page's title in place after everything else. Without any, axe says so.
  await page.waitForFunction(() => document.title, undefined, { timeout: 30_000 }).catch(() => undefined);
  const isLoaded = await page.evaluate(() => "axe" in window);
  if (!isLoaded) await page.evaluate(axe);
  const only: RunOnly = rules ? { type: "rule", values: rules } : { type: "tag", values: TAGS };
  const { found, passes } = await page.evaluate(runAxe, { ...part, only });
  // A page that was not checked has no violations either. A few rules may have nothing to check.
  return passes < 10 && !rules ? [`axe checked next to nothing: ${passes} rules passed`] : found;
}
