import { direction, LOCALES } from "@/lib/domain/roles";
import { translator } from "@/lib/i18n/translate";

// The colours of app/tokens.css in short: this page has no other file to ask for.
const STYLE =
  ":root{color-scheme:light dark;--a:#1d4fc4}@media(prefers-color-scheme:dark){:root{--a:#8fb4ff}}" +
  "body{font:1rem/1.6 'IBM Plex Sans','IBM Plex Sans Arabic',system-ui,sans-serif;max-width:28rem;margin:5vh auto;padding:0 1rem}" +
  "section{border:1px solid #8886;border-radius:1.125rem;padding:1.5rem;margin-top:1rem}h1{font-size:1.5rem;line-height:1.3;margin:0}" +
  "p{margin:.5rem 0 0}nav{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1.25rem}" +
  "a{display:flex;flex:1;align-items:center;justify-content:center;white-space:nowrap;min-height:3rem;padding:0 1.25rem;border:1px solid var(--a);border-radius:.5rem;color:var(--a);font-weight:600;text-decoration:none}" +
  "a:first-child{background:var(--a);color:Canvas}";

/** The page without a connection if none is kept. It is in both languages: a service worker does not know the user's. */
export function renderOfflinePage(): string {
  const texts = LOCALES.map((locale) => {
    const t = translator(locale);
    return (
      `<section lang="${locale}" dir="${direction(locale)}"><h1>${t("noConnection.pageTitle")}</h1>` +
      `<p>${t("noConnection.pageText")}</p>` +
      `<nav><a href="">${t("list.tryAgain")}</a><a href="/employee/topup">${t("noConnection.pageLink")}</a></nav></section>`
    );
  });
  return (
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
    `<title>Loyalty Wallet</title><style>${STYLE}</style><body>${texts.join("")}</body></html>`
  );
}
