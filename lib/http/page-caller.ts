import { DomainError } from "@/lib/domain/errors";
import { readPass } from "@/lib/secrets/proof-of-work";
import { hashSecret } from "@/lib/secrets/secrets";
import { callerAddress } from "./address";
import { heldCards, PASS_COOKIE, readCookie, readDeviceCookie } from "./cookies";
import { countRequest } from "./limits";

/** Asks the database whether a session or a card-holder cookie is live. */
type CallerLookup = {
  session(id: string): Promise<boolean>;
  holder(customerId: string, secret: string): Promise<boolean>;
};
const shared = globalThis as typeof globalThis & { walletCallers?: CallerLookup };

/** Offers the lookup to every bundle of this process. */
export function shareCallerLookup(lookup: CallerLookup): void {
  shared.walletCallers = lookup;
}

// A live cookie is looked up once a minute, a dead one every ten seconds.
const LIVE_MS = 60_000;
const DEAD_MS = 10_000;
const MOST_KEPT = 10_000;
const answers = new Map<string, { live: boolean; until: number }>();

/** The answer of `ask`, kept for a while. An unavailable database counts as no. */
async function remembered(key: string, ask: () => Promise<boolean>): Promise<boolean> {
  const found = answers.get(key);
  if (found && found.until > Date.now()) return found.live;
  const live = await ask().catch(() => false);
  answers.delete(key);
  answers.set(key, { live, until: Date.now() + (live ? LIVE_MS : DEAD_MS) });
  const oldest = answers.keys().next().value;
  if (answers.size > MOST_KEPT && oldest !== undefined) answers.delete(oldest);
  return live;
}

/** Who opens a page, as its volume is counted: `known` by a live session or a holder's cookie, or a stranger. */
export type PageCaller = { kind: "known" | "passed" | "stranger"; key: string };

async function holderKey(headers: Headers, address: string): Promise<string | null> {
  const lookup = shared.walletCallers;
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

/**
 * The caller of a page. `sessionId` is that of the session's cookie, which only this program can make. One statement a
 * minute and session at most; none for a device cookie, a pass or a stranger.
 */
export async function pageCaller(headers: Headers, sessionId: string | null): Promise<PageCaller> {
  const address = callerAddress(headers);
  const lookup = shared.walletCallers;
  if (sessionId && lookup && (await remembered(`session:${sessionId}`, () => lookup.session(sessionId))))
    return { kind: "known", key: `session:${sessionId}` };
  const device = readDeviceCookie(headers);
  if (device) return { kind: "known", key: `device:${device.id}` };
  const holder = await holderKey(headers, address);
  if (holder) return { kind: "known", key: holder };
  const pass = readPass(readCookie(headers, PASS_COOKIE), address);
  return pass ? { kind: "passed", key: `pass:${pass}` } : { kind: "stranger", key: address };
}

/** Why a page is refused: the limit that was reached, and the seconds until it opens again. */
export type PageRefusal = { seconds: number; limit: number };

/** Counts a request of a page: every method and path, but the prefetches of known callers. Answers a refusal or null. */
export async function countPage(headers: Headers, caller: PageCaller): Promise<PageRefusal | null> {
  // The header alone proves nothing: a stranger's prefetch is a page.
  if (caller.kind === "known" && headers.has("next-router-prefetch")) return null;
  try {
    await countRequest(caller.kind === "passed" ? "passedPage" : "page", caller.key);
    return null;
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "rate_limited") throw error;
    return { seconds: Number(error.params.seconds), limit: Number(error.params.limit) };
  }
}
