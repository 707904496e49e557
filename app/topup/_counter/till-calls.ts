import { calculateJwkThumbprint } from "jose";
import type { TillCalls } from "@/components/offline-counter/connection";
import type { SyncAnswer } from "@/components/offline-counter/send-waiting";
import { publicJwk } from "@/components/till-device/device";
import { sendSigned } from "@/components/till-device/signed-fetch";
import { forgetEntryKey } from "@/components/till-store/entry-key";
import { TUNNEL_HEADER } from "@/lib/domain/paths";
import type { OwnTillWire, SyncWire } from "@/lib/tills/names";

// Milliseconds after which an answer counts as lost. A sync of 50 entries takes longer than one posting.
const TIMEOUT_MS = 30_000;
// A clock that differs by less is right.
const CLOCK_MS = 60_000;

type Envelope = { data?: unknown; code?: string };

function outcomesOf({ results }: SyncWire): SyncAnswer {
  return {
    kind: "ok",
    outcomes: results.map(({ n, eOutcome, code, movement }) => ({
      n,
      outcome: eOutcome,
      code,
      ...(movement ? { posted: { publicId: movement.customer.sUUID, balance: movement.sBalance } } : {}),
    })),
  };
}

async function answerTo(response: Response): Promise<SyncAnswer> {
  const { status } = response;
  const body = (await response.json()) as Envelope;
  if (response.ok) return outcomesOf(body.data as SyncWire);
  if (body.code === "invalid_dpop_proof" || body.code === "till_not_found") return { kind: "unpaired" };
  if (status === 401 || status === 403 || status === 417) return { kind: "signedOut" };
  if (status === 429) return { kind: "limited", seconds: Number(response.headers.get("retry-after")) || 30 };
  return status >= 500 ? { kind: "lost" } : { kind: "invalid" };
}

const thumbprintOf = async (keys: CryptoKeyPair) => calculateJwkThumbprint(await publicJwk(keys));

/** The calls of a till, signed by its keys. `token` answers the public handle of the signed-in cashier's session. */
export function tillCalls(keys: CryptoKeyPair, token: () => Promise<string | null>): TillCalls {
  const send = (by: CryptoKeyPair, path: string, init: RequestInit = {}) =>
    sendSigned(by, new URL(path, location.href), {
      ...init,
      headers: { ...TUNNEL_HEADER, ...Object.fromEntries(new Headers(init.headers)) },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      cache: "no-store",
    });
  return {
    sync: async (by, entries) => {
      const handle = await token();
      if (handle === null) return { kind: "signedOut" };
      const headers = { Authorization: handle, "Content-Type": "application/json" };
      const sync = async (proving: CryptoKeyPair, body: object) =>
        answerTo(
          await send(proving, "/api/tills/sync", { method: "POST", headers, body: JSON.stringify(body) }),
        );
      try {
        const answer = await sync(by, { entries });
        if (answer.kind === "signedOut") await forgetEntryKey((of) => of === handle).catch(() => undefined);
        if (answer.kind !== "unpaired") return answer;
        // This browser was paired again since then, and a PIN session belongs to the current till, so the current key
        // signs the request.
        const [sSignedBy, own] = await Promise.all([by, keys].map(thumbprintOf));
        return sSignedBy === own ? answer : await sync(keys, { entries, sSignedBy });
      } catch {
        // No answer, or an incomplete one: the same entries are sent again, and each is posted once.
        return { kind: "lost" };
      }
    },
    rules: async () => {
      try {
        const response = await send(keys, "/api/tills/me");
        if (!response.ok) return null;
        const { data } = (await response.json()) as { data: OwnTillWire };
        const behind = Date.parse(response.headers.get("date") ?? "") - Date.now();
        return {
          rules: {
            maxTopUp: data.iOfflineMaxTopup,
            maxTotal: data.iOfflineMaxTotal,
            nextEntry: data.iNextEntry,
          },
          ahead: Math.abs(behind) > CLOCK_MS ? behind : 0,
        };
      } catch {
        return null;
      }
    },
    ping: async () => {
      try {
        const signal = AbortSignal.timeout(TIMEOUT_MS);
        return (await fetch("/api/health", { cache: "no-store", headers: TUNNEL_HEADER, signal })).ok;
      } catch {
        return false;
      }
    },
  };
}
