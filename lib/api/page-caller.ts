import { DomainError } from "@/lib/domain/errors";
import { direction, type Locale } from "@/lib/domain/roles";
import { translator } from "@/lib/i18n/translate";
import { oncePerProcess, RecentMap } from "@/lib/observe/once";
import { heldCards, readDeviceCookie } from "@/lib/secrets/cookies";
import { hashSecret } from "@/lib/secrets/secrets";
import { callerAddress } from "./address";
import { countRequest, countVisitor, type Visitor } from "./limits";

type CallerLookup = {
  session(id: string): Promise<boolean>;
  holder(customerId: string, secret: string): Promise<boolean>;
};
const shared = oncePerProcess("callers", (): { lookup?: CallerLookup } => ({}));

/** Offers the lookup to every bundle of this process. */
export function shareCallerLookup(lookup: CallerLookup): void {
  shared.lookup = lookup;
}

// A live cookie is looked up once a minute, a dead one every ten seconds.
const LIVE_MS = 60_000;
const DEAD_MS = 10_000;
type Answer = { live: boolean; until: number };
const answers = oncePerProcess("callers known", () => new RecentMap<string, Answer>(10_000));

/** The answer of `ask`, kept for a while. An unavailable database counts as no. */
async function remembered(key: string, ask: () => Promise<boolean>): Promise<boolean> {
  const found = answers.get(key);
  if (found && found.until > Date.now()) return found.live;
  const live = await ask().catch(() => false);
  answers.set(key, { live, until: Date.now() + (live ? LIVE_MS : DEAD_MS) });
  return live;
}

/** The caller of a page, for the limits of volume: a key that counts, or a known device with its address, which counts too. */
type PageCaller = { key: string } | { visitor: Visitor };

async function holderKey(headers: Headers, address: string): Promise<string | null> {
  const lookup = shared.lookup;
  for (const { customerId, secret } of heldCards(headers).slice(0, 3)) {
    const key = `holder:${hashSecret(`${customerId}\n${secret}`)}`;
    const ask = async () => {
      // Anybody can send such a cookie: one address may have 300 looked up in a minute.
      await countRequest("lookup", address);
      return lookup ? lookup.holder(customerId, secret) : false;
    };
    if (await remembered(key, ask)) return key;
  }
  return null;
}

/** The caller of a page. One statement a minute and session at most; none for a device cookie or a stranger. */
export async function pageCaller(headers: Headers, sessionId: string | null): Promise<PageCaller> {
  const address = callerAddress(headers);
  const lookup = shared.lookup;
  if (sessionId && lookup && (await remembered(`session:${sessionId}`, () => lookup.session(sessionId))))
    return { key: `session:${sessionId}` };
  const device = readDeviceCookie(headers);
  if (device) return { visitor: { device, address } };
  return { key: (await holderKey(headers, address)) ?? address };
}

export type PageRefusal = { seconds: number; limit: number };

/** Counts a request of a page: every method and path, and prefetches too. Answers a refusal or null. */
export async function countPage(caller: PageCaller): Promise<PageRefusal | null> {
  try {
    if ("visitor" in caller) await countVisitor("page", caller.visitor);
    else await countRequest("page", caller.key);
    return null;
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "rate_limited") throw error;
    return { seconds: Number(error.params.seconds), limit: Number(error.params.limit) };
  }
}

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

type Waiting = { locale: Locale; nonce: string; seconds: number; path: string };

/** The page in place of one refused by volume. It says how many seconds to wait, then opens `path` by itself. */
export function waitPage({ locale, nonce, seconds, path }: Waiting): string {
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
