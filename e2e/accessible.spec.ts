import { violationsOn } from "./support/accessible";
import { expect, test } from "./support/test";

const PAGE = `<!doctype html><html lang="en"><head><title>Widths</title><meta name="viewport" content="width=device-width">
<style>
  body { background: #fff; color: #111; font-size: 16px }
  a, button { display: inline-block; min-width: 24px; min-height: 24px }
  .wide { display: none }
  @media (min-width: 1000px) {
    .wide { display: block }
    .narrow { display: none }
    .RULE
  }
</style></head><body><header><h1>Widths</h1></header><main><p id="text">Text</p>
<div><button id="one">One</button><button id="two">Two</button></div>
<p class="narrow">Narrow</p><p class="wide">Wide</p></main></body></html>`;

/** What makes the page wrong when it is wide, and the rule of axe that finds it. */
const WRONG: [string, string, RegExp][] = [
  ["nothing", "none { color: #111 }", /^$/],
  ["a colour", "wide, #text { color: #ccc }", /^color-contrast: .*Text/],
  ["a background", "wide, main { background: #222 }", /^color-contrast: .*id="text"/],
  ["a colour of what is shown there alone", "wide { color: #ccc }", /^color-contrast: <p class="wide"/],
  [
    "small targets",
    "wide, button { min-width: 0; min-height: 0; width: 9px; height: 9px; padding: 0; border: 0; margin: 0; overflow: hidden }",
    /target-size/,
  ],
  ["no heading", "wide, h1 { display: none }", /^page-has-heading-one/],
];

test("the second look at a page in another width finds what is wrong there alone", async ({ context }) => {
  for (const [what, rule, found] of WRONG) {
    const page = await context.newPage();
    await page.setViewportSize({ width: 360, height: 780 });
    await page.setContent(PAGE.replace("RULE", rule));
    expect(await violationsOn(page), what).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 860 });
    expect((await violationsOn(page)).join("\n"), what).toMatch(found);
    await page.close();
  }
});

const known = (inside: string, head = "") =>
  `<!doctype html><html lang="en"><head><title>Parts</title><style>
  body { background: #fff; color: #111; font-size: 16px }
  a, button, input { display: inline-block; min-width: 24px; min-height: 24px }
  ${head}</style></head><body><header><h1>Parts</h1></header><main>${inside}</main></body></html>`;
const PART = '<div class="part"><p>One</p><button>Press</button></div>';

/** What comes after a part that was looked at, on the same page or the next, and the rule of axe that finds it. */
const NEXT: [string, string, string, RegExp][] = [
  ["the same with other words", PART.replace("One", "Two"), "", /^$/],
  [
    "the same on a dark ground",
    `<div class="dark">${PART}</div>`,
    ".dark { background: #222 }",
    /color-contrast/,
  ],
  [
    "the same on a dark ground beside it",
    `<div class="box"><div class="dark"></div>${PART}</div>`,
    ".box { position: relative } .dark { position: absolute; inset: 0; background: #222 } .part { position: relative }",
    /color-contrast/,
  ],
  ["the same, faded", `<div class="faded">${PART}</div>`, ".faded { opacity: 0.3 }", /color-contrast/],
  ["the same in a list", `<ul>${PART}</ul>`, "", /^list: /],
  ["a button that says nothing", PART.replace("Press", ""), "", /^button-name: /],
  [
    "a button whose name is nowhere",
    PART.replace("<button>Press", '<button aria-labelledby="none">'),
    "",
    /^button-name: /,
  ],
  ["a field without a label", PART.replace("<button>Press</button>", "<input>"), "", /^label: /],
  ["a role that is none", PART.replace("<button", '<button role="knob"'), "", /^aria-roles: /],
  ["a second main part", `</main><main>${PART}`, "", /^landmark-no-duplicate-main: /],
];

test("what was looked at is looked at again where it is another", async ({ context }) => {
  for (const [what, next, head, found] of NEXT) {
    const page = await context.newPage();
    await page.setContent(known(PART + PART + next, head));
    expect((await violationsOn(page)).join("\n"), `${what}, on the same page`).toMatch(found);
    await page.close();
    const other = await context.newPage();
    await other.setContent(known(PART));
    expect(await violationsOn(other)).toEqual([]);
    await other.setContent(known(next, head));
    expect((await violationsOn(other)).join("\n"), `${what}, on the next page`).toMatch(found);
    await other.close();
  }
});
