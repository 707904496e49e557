import type { Page } from "@playwright/test";

type Part = { left: number; right: number; top: number; bottom: number };

/** In the page: what is wrong with its texts, a line each. */
function findCutTexts(): string[] {
  const ROOM = 1.5;
  const isSliding = (value: string) => value === "auto" || value === "scroll";
  const styles = new Map<Element, CSSStyleDeclaration>();
  const styleOf = (element: Element) => {
    const style = styles.get(element) ?? getComputedStyle(element);
    styles.set(element, style);
    return style;
  };
  const around = (element: Element) => {
    const all: Element[] = [];
    for (let one: Element | null = element; one && one !== document.body; one = one.parentElement)
      all.push(one);
    return all;
  };
  const quoted = (text: string) => `"${text.trim().replaceAll(/\s+/g, " ").slice(0, 60)}"`;

  /** The middle of each line of a text: what is above and below it may be cut by a tight line. */
  const linesOf = (node: Node): Part[] => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()]
      .filter(({ width, height }) => width > 0 && height > 0)
      .map(({ left, right, top, height }) => ({
        left,
        right,
        top: top + height * 0.3,
        bottom: top + height * 0.7,
      }));
  };
  /** Whether the text is there for ears alone, or for nobody. */
  const isHidden = (parents: Element[]) =>
    !parents[0]?.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ||
    parents.some((one) => {
      const { clipPath, position } = styleOf(one);
      return position === "absolute" && (clipPath !== "none" || one.clientWidth <= 1);
    });
  /** What cuts a line off: the first parent that clips, before one whose content can be slid into sight. */
  const cutBy = (line: Part, parents: Element[]): Element | undefined => {
    for (const one of parents) {
      const { overflowX, overflowY, display } = styleOf(one);
      if (isSliding(overflowX) || isSliding(overflowY)) return undefined;
      if (display === "inline" || display === "contents") continue;
      const box = one.getBoundingClientRect();
      const isOut = line.left < box.left - ROOM || line.right > box.right + ROOM;
      const isBelow = line.top < box.top - ROOM || line.bottom > box.bottom + ROOM;
      if ((isOut && overflowX !== "visible") || (isBelow && overflowY !== "visible")) return one;
    }
    return undefined;
  };
  /** What a text stands out of: the nearest block around it, on its sides. */
  const leftBy = (line: Part, parents: Element[]): Element | undefined => {
    const block = parents.find((one) => !/^(inline|contents)$/.test(styleOf(one).display));
    if (!block || isSliding(styleOf(block).overflowX)) return undefined;
    const box = block.getBoundingClientRect();
    return line.left < box.left - ROOM || line.right > box.right + ROOM ? block : undefined;
  };
  /** What lies over or under the rest of the page; texts are compared within one layer. */
  const layerOf = (parents: Element[]) =>
    parents.find((one) => /^(fixed|sticky)$/.test(styleOf(one).position)) ?? document.body;

  const found: string[] = [];
  const texts: { text: string; node: Node; layer: Element; lines: Part[] }[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.nodeValue ?? "";
    const parents = node.parentElement ? around(node.parentElement) : [];
    if (!text.trim() || parents.length === 0 || isHidden(parents)) continue;
    // A chart has rules of its own (panel-looks.spec.ts).
    if (parents.some((one) => one instanceof SVGElement || /^(SCRIPT|STYLE|OPTION)$/.test(one.tagName)))
      continue;
    const lines = linesOf(node);
    const titled = parents.some((one) => one.getAttribute("title")?.includes(text.trim()));
    const cutter = lines.map((line) => cutBy(line, parents)).find(Boolean);
    if (cutter && !titled) found.push(`cut: ${quoted(text)} by ${cutter.tagName} ${cutter.className}`);
    const left = lines.map((line) => leftBy(line, parents)).find(Boolean);
    if (left && !cutter) found.push(`out of its box: ${quoted(text)} in ${left.tagName} ${left.className}`);
    if (!cutter) texts.push({ text, node, layer: layerOf(parents), lines });
  }

  const pen = document.createElement("canvas").getContext("2d");
  for (const field of document.querySelectorAll("input")) {
    const { placeholder, clientWidth, value } = field;
    if (!pen || !placeholder || value || isHidden(around(field))) continue;
    const { font, paddingLeft, paddingRight } = styleOf(field);
    pen.font = font;
    const room = clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    if (pen.measureText(placeholder).width > room + ROOM) found.push(`cut: the hint ${quoted(placeholder)}`);
  }

  const lines = texts.flatMap((one) => one.lines.map((line) => ({ ...one, line })));
  lines.sort((one, other) => one.line.top - other.line.top);
  lines.forEach((one, index) => {
    for (const other of lines.slice(index + 1)) {
      if (other.line.top >= one.line.bottom - ROOM) break;
      const shared = Math.min(one.line.right, other.line.right) - Math.max(one.line.left, other.line.left);
      if (shared <= ROOM || one.node === other.node || one.layer !== other.layer) continue;
      found.push(`over each other: ${quoted(one.text)} and ${quoted(other.text)}`);
    }
  });
  return [...new Set(found)];
}

/**
 * The texts of the open page that nobody can read whole at its present width, a line each: those that something cuts off,
 * that stand out of the block that holds them, or that lie on each other; and that the page is wider than its window.
 * Allowed is a text that a `title` around it says whole, and what can be slid into sight.
 */
export async function cutTextsOn(page: Page): Promise<string[]> {
  const wider = await page.evaluate(() => {
    const root = document.documentElement;
    return root.scrollWidth - root.clientWidth;
  });
  return [...(wider > 0 ? [`scrolls sideways by ${wider} px`] : []), ...(await page.evaluate(findCutTexts))];
}
