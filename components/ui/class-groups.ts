// Which utilities set the same property, for those that the tree uses: class-groups.test.ts compares with tailwind-merge,
// whose 8 kB would be on every page.

/** Utilities whose name says it, before the value. */
const VALUED =
  /^(gap-[xy]|gap|items|justify-items|justify-self|justify|place-items|self|[mp][xytbse]?|scroll-mt|max-[wh]|min-[wh]|[wh]|size|z|inset-[xy]|inset|top|bottom|start|end|leading|cursor|transition|duration|delay|ease|opacity|animate|grid-cols|grid-rows|auto-rows|grid-flow|col-start|row-start|basis|order|translate-[xy]|rotate|scale-[xy]|aspect|line-clamp|align|fill|accent|caret|tracking|underline-offset|outline-offset|overflow-[xy]|overflow|overscroll-[xy]|overscroll|whitespace|wrap|select|pointer-events|object|rounded-(?:[tbse]|ss|se|es|ee)|rounded|list|field-sizing|caption|content|backdrop-blur|ring-offset)(?:-|$)/;

/** Utilities whose value says it. The first that matches counts. */
const WORDS: readonly (readonly [group: string, pattern: RegExp])[] = [
  [
    "display",
    /^(?:flex|grid|inline|block|contents|hidden|table|flow-root|inline-(?:flex|grid|block)|table-(?:row|cell|caption))$/,
  ],
  ["position", /^(?:fixed|relative|absolute|sticky|static)$/],
  ["direction", /^flex-(?:col|row)(?:-reverse)?$/],
  ["flex-wrap", /^flex-(?:no)?wrap/],
  ["flex", /^flex-/],
  ["grow", /^grow/],
  ["shrink", /^shrink/],
  ["text-size", /^text-(?:xs|sm|base|lg|\d?xl|\[(?:\d|clamp\()[^\]]*\])$/],
  ["text-align", /^text-(?:start|end|center|left|right|justify)$/],
  ["text-wrap", /^text-(?:pretty|balance|wrap|nowrap)$/],
  ["text-overflow", /^(?:text-(?:ellipsis|clip)|truncate)$/],
  ["text", /^text-/],
  ["font-weight", /^font-(?:normal|medium|semibold|bold)$/],
  ["font", /^font-/],
  ["decoration", /^(?:underline|line-through|no-underline|overline)$/],
  ["decoration-style", /^decoration-(?:solid|dotted|dashed|double|wavy)$/],
  ["decoration-width", /^decoration-\d/],
  ["decoration-color", /^decoration-/],
  ["bg-image", /^bg-\[\w+-gradient/],
  ["bg", /^bg-/],
  ["border-width", /^border(?:-\d+)?$/],
  ["border-$1", /^border-([tbsexy])(?:-\d+)?$/],
  ["border-style", /^border-(?:solid|dashed|dotted|double|none)$/],
  ["border-collapse", /^border-(?:collapse|separate)$/],
  ["border", /^border-/],
  ["divide-$1", /^divide-([xy])(?:-\d+)?$/],
  ["outline-style", /^outline-(?:none|hidden|dashed|dotted|double)$/],
  ["outline-width", /^outline(?:-\d+)?$/],
  ["outline", /^outline-/],
  ["ring-width", /^ring(?:-\d+)?$/],
  ["ring", /^ring-/],
  ["shadow", /^shadow(?:-(?:2?xs|sm|md|lg|2?xl|none|\[.*\]))?$/],
  ["shadow-color", /^shadow-/],
  ["stroke-width", /^stroke-\d+$/],
  ["stroke", /^stroke-/],
  ["col", /^col-(?!start-|end-)/],
  ["row", /^row-(?!start-|end-)/],
  ["break", /^break-/],
  ["container", /^@container$/],
  ["sr-only", /^(?:not-)?sr-only$/],
  ["case", /^(?:uppercase|lowercase|capitalize|normal-case)$/],
  ["visibility", /^(?:visible|invisible|collapse)$/],
  ["isolation", /^isolat/],
  ["numbers", /^tabular-nums$/],
  ["filter", /^filter$/],
  // An arbitrary property or a selector of one's own: "[--cell-x:1rem]", where the modifier is split off before.
  ["[$1", /^\[([\w-]+):/],
];

/** Groups that a utility sets besides its own. */
const COVERS: Readonly<Record<string, readonly string[]>> = {
  gap: ["gap-x", "gap-y"],
  m: ["mx", "my", "mt", "mb", "ms", "me"],
  mx: ["ms", "me"],
  my: ["mt", "mb"],
  p: ["px", "py", "pt", "pb", "ps", "pe"],
  px: ["ps", "pe"],
  py: ["pt", "pb"],
  size: ["w", "h"],
  inset: ["inset-x", "inset-y", "top", "bottom", "start", "end"],
  "inset-x": ["start", "end"],
  "inset-y": ["top", "bottom"],
  overflow: ["overflow-x", "overflow-y"],
  overscroll: ["overscroll-x", "overscroll-y"],
  flex: ["basis", "grow", "shrink"],
  "line-clamp": ["display", "overflow"],
  "text-size": ["leading"],
  "border-x": ["border-s", "border-e"],
  "border-y": ["border-t", "border-b"],
  rounded: [
    "rounded-t",
    "rounded-b",
    "rounded-s",
    "rounded-e",
    "rounded-ss",
    "rounded-se",
    "rounded-es",
    "rounded-ee",
  ],
  "rounded-s": ["rounded-ss", "rounded-es"],
  "rounded-e": ["rounded-se", "rounded-ee"],
  "border-width": ["border-t", "border-b", "border-s", "border-e", "border-x", "border-y"],
};

const groups = new Map<string, string | null>();

function findGroup(utility: string): string | null {
  const valued = VALUED.exec(utility)?.[1];
  if (valued) return valued;
  for (const [group, pattern] of WORDS) {
    const found = pattern.exec(utility);
    if (found) return group.replace("$1", found[1] ?? "");
  }
  return null;
}

/** The group of a utility without its modifiers, or null for a class of our own. */
function groupOf(utility: string): string | null {
  const name = utility.startsWith("-") ? utility.slice(1) : utility;
  const known = groups.get(name);
  if (known !== undefined) return known;
  const group = findGroup(name);
  groups.set(name, group);
  return group;
}

// "hover:" and "[&_svg:not([class*='size-'])]:" before the utility, and "!" for an important one.
const PARTS = /^((?:(?:\[(?:[^[\]]|\[[^\]]*\])*\]|[^[\]:()]|\([^)]*\))*:)*)(!?)(.*)$/;

// A page merges the same few hundred texts again and again; the limit is for those that are made of data.
const merged = new Map<string, string>();
const MOST_MERGED = 2_000;

/** Of utilities for the same property with the same modifiers the last one stays, in its place. */
export function mergeClasses(classes: string): string {
  const known = merged.get(classes);
  if (known !== undefined) return known;
  if (merged.size === MOST_MERGED) merged.clear();
  const result = merge(classes);
  merged.set(classes, result);
  return result;
}

function merge(classes: string): string {
  const taken = new Set<string>();
  const kept: string[] = [];
  const names = classes.split(/\s+/);
  for (let index = names.length - 1; index >= 0; index--) {
    const name = names[index];
    if (!name) continue;
    const [, modifiers = "", important = "", utility = ""] = PARTS.exec(name) ?? [];
    const group = groupOf(utility);
    if (group !== null) {
      const scope = modifiers + important;
      if (taken.has(scope + group)) continue;
      for (const covered of [group, ...(COVERS[group] ?? [])]) taken.add(scope + covered);
    }
    kept.push(name);
  }
  return kept.reverse().join(" ");
}
