import { direction, type Locale } from "@/lib/domain/roles";
import { translator } from "@/lib/i18n/translate";

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

const STYLE = `
:root{color-scheme:light dark;--bg:#f8fafc;--card:#fff;--text:#0f172a;--muted:#475569;--line:#e2e8f0;--go:#1d4ed8}
@media(prefers-color-scheme:dark){:root{--bg:#0e131d;--card:#161d2b;--text:#f1f5f9;--muted:#a3b1c6;--line:#2a3447;--go:#8ab0ff}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1rem;background:var(--bg);color:var(--text);
font:1rem/1.6 "IBM Plex Sans","IBM Plex Sans Arabic","Segoe UI",Tahoma,system-ui,sans-serif}
main{inline-size:100%;max-inline-size:26rem;padding:2rem 1.5rem;border:1px solid var(--line);border-radius:1rem;background:var(--card);text-align:center}
.name{margin:0 0 1.25rem;color:var(--go);font-weight:600;font-size:.9rem}
h1{margin:0 0 .5rem;font-size:1.375rem;line-height:1.35}
p{margin:0 0 1rem;color:var(--muted)}
.when{margin:0;color:var(--text)}
a{display:inline-block;padding:.6rem 1rem;margin-block-start:.75rem;border-radius:.5rem;color:var(--go);font-weight:600}
a:focus-visible{outline:3px solid var(--go);outline-offset:2px}`;

/**
 * The page in place of one that was refused by volume. It says how many seconds to wait, and opens `path` by itself then.
 */
export function waitPage({
  locale,
  nonce,
  seconds,
  path,
}: {
  locale: Locale;
  nonce: string;
  seconds: number;
  path: string;
}): string {
  const t = translator(locale);
  const title = escapeHtml(t("wait.title"));
  return `<!doctype html>
<html lang="${locale}" dir="${direction(locale)}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><meta http-equiv="refresh" content="${seconds}"><title>${title}</title><link rel="icon" href="/icon.svg"><style nonce="${nonce}">${STYLE}</style></head>
<body><main>
<p class="name">${escapeHtml(t("common.appName"))}</p>
<h1>${title}</h1>
<p>${escapeHtml(t("wait.text"))}</p>
<p class="when">${escapeHtml(t("wait.seconds", { seconds }))}</p>
<a href="${escapeHtml(path)}">${escapeHtml(t("wait.again"))}</a>
</main></body></html>
`;
}
