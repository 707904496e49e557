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

for (const [what, rule, found] of WRONG) {
  test(`the second look at a page in another width finds what is wrong there alone: ${what}`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 360, height: 780 });
    await page.setContent(PAGE.replace("RULE", rule));
    expect(await violationsOn(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 860 });
    expect((await violationsOn(page)).join("\n")).toMatch(found);
  });
}
