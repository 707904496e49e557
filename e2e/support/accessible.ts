import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

type Rule = { gather: (...asked: unknown[]) => { actualNode: Element }[] };
type Axe = typeof import("axe-core") & { _audit: { rules: Rule[] } };
type Ask = { values: string[]; known: string };
type Answer = { passes: number; found: string[]; fresh: string };

/**
 * In the page: runs axe without the parts that are known. A part is known by everything that a rule may depend on: what it
 * is and is in, how it and its ground are shown, and all that is in it; but by which words it says, only whether it says
 * any. Rules about the whole page begin at its headings and landmarks, which are looked at each time. Violations only are
 * collected, since a report of all passes takes several times as long.
 */
async function runAxe({ values, known }: Ask): Promise<Answer> {
  type Part = { element: Element; key: string; isWhole: boolean; parts: Part[] };
  const landmarks = "banner complementary contentinfo form heading main navigation region search".split(" ");
  const whole = `h1, h2, h3, h4, h5, h6, header, nav, main, footer, aside, section, form, iframe, ${landmarks.map((role) => `[role=${role}]`).join()}`;
  const targets = "a, button, input, select, textarea, summary, label, [role], [tabindex]";
  const words = ["alt", "aria-label", "href", "placeholder", "src", "srcset", "title", "value"];
  const isWithoutMeaning = (name: string) =>
    /^(?:class|style|name|nonce|d|data-.*)$/.test(name) || words.includes(name);
  const ids = new Map<string, number>();
  for (const { id } of document.querySelectorAll("[id]")) ids.set(id, (ids.get(id) ?? 0) + 1);

  const hashOf = (text: string): string => {
    let [one, other] = [0x811c9dc5, 0x1000193];
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      one = Math.imul(one ^ code, 2654435761);
      other = Math.imul(other ^ code, 1597334677);
    }
    return (one >>> 0).toString(36) + (other >>> 0).toString(36);
  };
  /** How an element is shown, as far as a rule may depend on it. */
  const lookOf = (element: Element, style: CSSStyleDeclaration): unknown[] => {
    const looks: unknown[] = [style.color, style.fontSize, style.fontWeight, style.textShadow, style.display];
    looks.push(style.textDecorationLine, style.position, style.visibility, style.backgroundClip);
    // Only what scrolls must be reached by the keyboard.
    if (/auto|scroll/.test(style.overflow)) {
      looks.push(element.scrollWidth > element.clientWidth, element.scrollHeight > element.clientHeight);
    }
    // Only a small target needs room around it, and what is around may differ: none is known.
    if (element.matches(targets) && style.display !== "none") {
      const { width, height } = element.getBoundingClientRect();
      const least = Math.min(width, height);
      if (least > 0 && least < 24) looks.push("small", Math.random());
    }
    return looks;
  };
  const meansOf = (element: Element): string[] => {
    const means = [element.tagName, (element as HTMLInputElement).labels?.length ? "labelled" : ""];
    for (const { name, value } of element.attributes) {
      if (name === "id") means.push(ids.get(value) === 1 ? "" : "an id of several");
      else if (
        name === "for" ||
        /^aria-(?:labelledby|describedby|controls|owns|activedescendant|errormessage|details)$/.test(name)
      )
        means.push(name, ...value.split(/\s+/).map((id) => (ids.has(id) ? "+" : "-")));
      else if (!isWithoutMeaning(name)) means.push(name, value);
    }
    for (const name of words) if (element.getAttribute(name)?.trim()) means.push(name);
    if ([...element.childNodes].some((node) => node.nodeType === 3 && node.nodeValue?.trim()))
      means.push("text");
    return means;
  };
  const groundOf = (style: CSSStyleDeclaration) =>
    [style.backgroundColor, style.backgroundImage, style.opacity, style.filter].join();
  const partOf = (element: Element, style: CSSStyleDeclaration, around: string): Part => {
    const children = [...element.children].map((child) => ({ child, shown: getComputedStyle(child) }));
    // What is moved out of its place may lie on what stands beside it, or under it.
    const isMoved = children.some(({ shown }) => shown.position !== "static");
    const beside = isMoved ? children.map(({ shown }) => groundOf(shown)) : [];
    const inside = hashOf(
      [around, element.tagName, element.getAttribute("role"), groundOf(style), ...beside].join(),
    );
    const parts = children.map(({ child, shown }) => partOf(child, shown, inside));
    const own = [inside, ...meansOf(element), ...lookOf(element, style)];
    return {
      element,
      key: hashOf([...own, ...parts.map(({ key }) => key)].join()),
      isWhole: element.matches(whole) || parts.some(({ isWhole }) => isWhole),
      parts,
    };
  };

  const all = new Set(known.split(" "));
  const fresh: string[] = [];
  const leftOut = new WeakSet<Element>();
  const look = ({ element, key, isWhole, parts }: Part) => {
    if (!isWhole && all.has(key)) {
      for (const one of [element, ...element.querySelectorAll("*")]) leftOut.add(one);
      return;
    }
    all.add(key);
    fresh.push(key);
    for (const part of parts) look(part);
  };
  const { lang, dir } = document.documentElement;
  for (const part of partOf(document.body, getComputedStyle(document.body), `${lang} ${dir}`).parts)
    look(part);

  const scope = window as unknown as { axe: Axe };
  // Its own `exclude` compares each element with each part, for every rule: seconds, where there are thousands of both.
  for (const rule of scope.axe._audit.rules) {
    const { gather } = Object.getPrototypeOf(rule) as Rule;
    rule.gather = (...asked) =>
      gather.apply(rule, asked).filter(({ actualNode }) => !leftOut.has(actualNode));
  }
  const { violations, passes } = await scope.axe.run(document, {
    runOnly: { type: "tag", values },
    resultTypes: ["violations"],
  });
  const places = (nodes: { html: string }[]) =>
    nodes
      .slice(0, 3)
      .map(({ html }) => html.slice(0, 160))
      .join(" | ");
  return {
    passes: passes.length,
    found: violations.map(({ id, nodes }) => `${id}: ${places(nodes)}`),
    fresh: fresh.join(" "),
  };
}

/** The keys of the parts that were looked at in this process. */
const known: string[] = [];

/**
 * The violations that axe finds on the open page, a line each: the rule and the first places. Parts that were looked at
 * before, on this page, in another width or on any page before, are not looked at again where they are what they were.
 */
export async function violationsOn(page: Page): Promise<string[]> {
  // React may put a page's title in place after everything else. Without any, axe says so.
  await page.waitForFunction(() => document.title, undefined, { timeout: 30_000 }).catch(() => undefined);
  const isLoaded = await page.evaluate(() => "axe" in window);
  if (!isLoaded) await page.evaluate(axe);
  const { found, passes, fresh } = await page.evaluate(runAxe, { values: RULES, known: known.join(" ") });
  // What was found is found again wherever it is.
  if (found.length === 0) known.push(fresh);
  // A page that was not checked has no violations either.
  return passes < 10 ? [`axe checked next to nothing: ${passes} rules passed`] : found;
}
