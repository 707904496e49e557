import type { Page } from "@playwright/test";

const ARABIC_INDIC = /.{0,20}[\u0660-\u0669\u06f0-\u06f9].{0,20}/;

/** Gives this tab Safari's digits: a plain `ar` follows the region, which has Arabic-Indic digits in Egypt. */
export async function likeSafariInEgypt(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const regional = (tags: unknown) =>
      [tags].flat().map((tag) => (tag === undefined || /^ar(-[A-Z]{2})?$/.test(String(tag)) ? "ar-EG" : tag));
    for (const name of ["NumberFormat", "DateTimeFormat", "RelativeTimeFormat"] as const) {
      const real = Intl[name] as unknown as new (tags: unknown, options: unknown) => object;
      const copy = new Proxy(real, {
        construct: (target, [tags, options]) => new target(regional(tags), options),
        apply: (target, _self, [tags, options]) => new target(regional(tags), options),
      });
      Object.defineProperty(Intl, name, { value: copy, configurable: true, writable: true });
    }
  });
}

/** Where the open page has Arabic-Indic digits: in what it shows, in names, hints and values of fields. */
export async function arabicDigitsOn(page: Page): Promise<string[]> {
  const texts = await page.evaluate(() => {
    const named = [...document.querySelectorAll("[aria-label], [title], [placeholder], input")].flatMap(
      (node) => [
        ...["aria-label", "title", "placeholder"].map((name) => node.getAttribute(name) ?? ""),
        node instanceof HTMLInputElement ? node.value : "",
      ],
    );
    const body = document.body.cloneNode(true) as HTMLElement;
    for (const node of body.querySelectorAll("script, style")) node.remove();
    return [body.textContent ?? "", ...named];
  });
  return texts.flatMap((text) => ARABIC_INDIC.exec(text)?.[0] ?? []);
}
