import { direction, LOCALES } from "@/lib/domain/roles";
import { translator } from "@/lib/i18n/translate";

/** The page that is shown without a connection where nothing is kept, in both languages: a worker does not know whose. */
export function offlinePage(): string {
  const texts = LOCALES.map((locale) => {
    const t = translator(locale);
    return (
      `<section lang="${locale}" dir="${direction(locale)}"><h1>${t("noConnection.pageTitle")}</h1>` +
      `<p>${t("noConnection.pageText")}</p>` +
      `<p><a href="/employee/topup">${t("noConnection.pageLink")}</a></p></section>`
    );
  });
  const style =
    ":root{color-scheme:light dark}body{font:1.125rem/1.5 system-ui,sans-serif;max-width:32rem;margin:12vh auto;" +
    "padding:0 1.5rem}h1{font-size:1.5rem}a{display:inline-block;padding:.75rem 0}section+section{margin-top:3rem}";
  return (
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
    `<title>Loyalty Wallet</title><style>${style}</style><body>${texts.join("")}</body></html>`
  );
}
