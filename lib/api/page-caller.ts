import { DomainError } from "@/lib/domain/errors";
import { oncePerProcess, RecentMap } from "@/lib/observe/once";
import { heldCards, readDeviceCookie } from "@/lib/secrets/cookies";
import { hashSecret } from "@/lib/secrets/secrets";
import { callerAddress } from "./address";
import { countRequest, countVisitor, type Visitor } from "./limits";

/** Asks the database whether a session or a card-holder cookie is live. */
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

/**
 * The caller of a page, for the limits of volume. A caller is `known` by a live session or a holder's cookie;
 * every other caller is a stranger.
 */
export type PageCaller = {
  kind: "known" | "stranger";
  key: string;
  /** A known device with its address, which counts too. */
  visitor?: Visitor;
};

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

/**
 * The caller of a page. `sessionId` is that of the session's cookie, which only this program can make. One statement a
 * minute and session at most; none for a device cookie or a stranger.
 */
export async function pageCaller(headers: Headers, sessionId: string | null): Promise<PageCaller> {
  const address = callerAddress(headers);
  const lookup = shared.lookup;
  if (sessionId && lookup && (await remembered(`session:${sessionId}`, () => lookup.session(sessionId))))
    return { kind: "known", key: `session:${sessionId}` };
  const device = readDeviceCookie(headers);
  if (device) return { kind: "known", key: device.id, visitor: { device, address } };
  const holder = await holderKey(headers, address);
  if (holder) return { kind: "known", key: holder };
  return { kind: "stranger", key: address };
}

/** Why a page is refused: the limit that was reached, and the seconds until it opens again. */
export type PageRefusal = { seconds: number; limit: number };

/** Counts a request of a page: every method and path, and prefetches too. Answers a refusal or null. */
export async function countPage(caller: PageCaller): Promise<PageRefusal | null> {
  try {
    if (caller.visitor) await countVisitor("page", caller.visitor);
    else await countRequest("page", caller.key);
    return null;
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "rate_limited") throw error;
    return { seconds: Number(error.params.seconds), limit: Number(error.params.limit) };
  }
}
