import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

type Scope = { axe?: typeof import("axe-core"); looks?: Map<Element, string> };

/**
 * In the page: runs axe, on its second run without the parts that look as they did on the first. It collects violations
 * only, since a report of all passes takes several times as long.
 */
async function runAxe(values: string[]): Promise<{ passes: number; found: string[] }> {
  const scope = window as unknown as Required<Scope> & Scope;
  /** How an element is shown, as far as a rule may depend on it. */
  const lookOf = (element: Element): string => {
    const style = getComputedStyle(element);
    const { width, height } = element.getBoundingClientRect();
    const looks: unknown[] = [style.color, style.backgroundColor, style.backgroundImage, style.opacity];
    looks.push(style.fontSize, style.fontWeight, style.textShadow, style.textDecorationLine, style.position);
    // Only what scrolls must be reached by the keyboard.
    if (/auto|scroll/.test(style.overflow)) {
      looks.push(element.scrollWidth > element.clientWidth, element.scrollHeight > element.clientHeight);
    }
    // Only a small target needs room around it.
    if (element.matches("a, button, input, select, textarea, summary, label, [role], [tabindex]")) {
      looks.push(width < 24 ? width : "wide", height < 24 ? height : "high");
    }
    return looks.join();
  };
  const before = scope.looks;
  const now = new Map<Element, string>();
  for (const element of document.querySelectorAll("body, body *")) {
    if (element.checkVisibility({ visibilityProperty: true })) now.set(element, lookOf(element));
  }
  scope.looks = now;
  // Where an element is shown in another way, what is in it may be as well: its ground is another.
  const changed = new Set<Element>();
  const around = new Set<Element>();
  for (const [element, look] of now) {
    const { parentElement } = element;
    if (before?.get(element) === look && !(parentElement && changed.has(parentElement))) continue;
    changed.add(element);
    for (let one = parentElement; one && !around.has(one); one = one.parentElement) around.add(one);
  }
  const exclude = [...now.keys()].filter(
    (element) =>
      !changed.has(element) &&
      !around.has(element) &&
      element.parentElement !== null &&
      around.has(element.parentElement),
  );
  const { violations, passes } = await scope.axe.run(
    { include: [document.documentElement], exclude },
    { runOnly: { type: "tag", values }, resultTypes: ["violations"] },
  );
  const places = (nodes: { html: string }[]) =>
    nodes
      .slice(0, 3)
      .map(({ html }) => html.slice(0, 160))
      .join(" | ");
  return { passes: passes.length, found: violations.map(({ id, nodes }) => `${id}: ${places(nodes)}`) };
}

/**
 * The violations that axe finds on the open page, a line each: the rule and the first places. Asked again while the same
 * page is open, as in another width, it looks at the parts that are shown in another way, and at what concerns the whole.
 */
export async function violationsOn(page: Page): Promise<string[]> {
  const isLoaded = await page.evaluate(() => "axe" in window);
  if (!isLoaded) await page.evaluate(axe);
  const { found, passes } = await page.evaluate(runAxe, RULES);
  // A page that was not checked has no violations either.
  return passes < 10 ? [`axe checked next to nothing: ${passes} rules passed`] : found;
}
