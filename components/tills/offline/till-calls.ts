import { calculateJwkThumbprint } from "jose";
import { type Answer, api, type InputOf, type ViewOf } from "@/lib/api/client";
import { TUNNEL_HEADER } from "@/lib/domain/paths";
import type { SignedEntry } from "@/lib/tills/model/offline";
import type { OfflineRules } from "@/lib/tills/model/offline-counter";
import { tillCalls as calls } from "@/lib/tills/names";
import { type Device, publicJwk } from "../device/device";
import { sendBy } from "../device/signed-fetch";
import { type SyncAnswer, sendWaiting } from "./send-waiting";
import { forgetEntryKey } from "./till-record";

// Milliseconds after which an answer counts as lost. A sync of 50 entries takes longer than one posting.
const TIMEOUT_MS = 30_000;
// A clock that differs by less is right.
const CLOCK_MS = 60_000;

function outcomesOf(answer: Answer<ViewOf<typeof calls.syncTill>>): SyncAnswer {
  if (answer.kind === "ok") return { kind: "ok", outcomes: answer.data };
  // No answer, or one that is not of this API: the same entries are sent again, and each is posted once.
  if (!answer.code) return { kind: "lost" };
  if (answer.code === "invalid_dpop_proof" || answer.code === "till_not_found") return { kind: "unpaired" };
  if (answer.kind === "signedOut" || answer.status === 403) return { kind: "signedOut" };
  if (answer.status === 429 || answer.status === 500)
    return { kind: "limited", seconds: answer.retryAfter ?? 30 };
  return answer.kind === "lost" ? { kind: "lost" } : { kind: "invalid" };
}

const thumbprintOf = async (keys: CryptoKeyPair) => calculateJwkThumbprint(await publicJwk(keys));

/** The calls of a till, signed by its keys. `token` answers the public handle of the signed-in cashier's session. */
export function tillCalls(keys: CryptoKeyPair, token: () => Promise<string | null>) {
  return {
    sync: async (by: CryptoKeyPair, entries: SignedEntry[]): Promise<SyncAnswer> => {
      const session = await token();
      if (session === null) return { kind: "signedOut" };
      const sync = async (proving: CryptoKeyPair, input: InputOf<typeof calls.syncTill>) => {
        const how = { session, timeout: TIMEOUT_MS, send: sendBy(proving) };
        const answer = await api(calls.syncTill, input, how);
        const outcomes = outcomesOf(answer);
        // A 403 is of the merchant or the cashier, and the session goes on.
        if (outcomes.kind === "signedOut" && answer.kind === "signedOut")
          await forgetEntryKey((of) => of === session).catch(() => undefined);
        return outcomes;
      };
      const answer = await sync(by, { entries });
      if (answer.kind !== "unpaired") return answer;
      try {
        // This browser was paired again since then, and a PIN session belongs to the current till, so the current key
        // signs the request.
        const [signedBy, own] = await Promise.all([by, keys].map(thumbprintOf));
        return signedBy === own ? answer : await sync(keys, { entries, signedBy });
      } catch {
        return { kind: "lost" };
      }
    },
    /** The rules for keeping top-ups, and by how many milliseconds the server's clock is ahead; null without an answer. */
    rules: async (): Promise<{ rules: OfflineRules; ahead: number } | null> => {
      const how = { session: null, timeout: TIMEOUT_MS, send: sendBy(keys) };
      const answer = await api(calls.ownTill, {}, how);
      if (answer.kind !== "ok") return null;
      const { maxTopUp, maxTotal, nextEntry } = answer.data;
      const behind = Date.parse(answer.serverNow ?? "") - Date.now();
      const ahead = Math.abs(behind) > CLOCK_MS ? behind : 0;
      return { rules: { maxTopUp, maxTotal, nextEntry }, ahead };
    },
    /** Whether the server answers at all. */
    ping: async (): Promise<boolean> => {
      const init = {
        cache: "no-store",
        headers: TUNNEL_HEADER,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      } as const;
      const answer = await fetch("/api/health", init).catch(() => null);
      return answer?.ok ?? false;
    },
  };
}

export type TillCalls = ReturnType<typeof tillCalls>;

/**
 * Sends the till's top-ups with the session of this handle, before that session ends. Waits for another tab or the service
 * worker that is sending. Answers whether nothing is left that the server takes now.
 */
export async function sendFirst({ keys }: Device, handle: string): Promise<boolean> {
  const { sync } = tillCalls(keys, async () => handle);
  for (;;) {
    const { kind } = await sendWaiting(sync);
    if (kind !== "busy") return kind !== "lost" && kind !== "limited";
    await navigator.locks.request("till-send", () => undefined);
  }
}
