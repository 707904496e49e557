import type { Db } from "@/lib/db/client";
import type { ProvedTill } from "@/lib/db/context";
import type { UserActor } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { env } from "@/lib/env";
import { sha256 } from "@/lib/tills/dpop";
import { isTillAccepted } from "@/lib/tills/model/till";
import { proveTill } from "@/lib/tills/till-proof";
import type { CheckBytes } from "./body";

/** The till that proved itself in a request, and the check of the body that it signed. */
export type TillOfRequest = { till: ProvedTill | null; checkBody?: CheckBytes };

const refused = () => new DomainError("invalid_dpop_proof");

/** The token of the Authorization header as the claim `ath` is made of it; null without one. */
const tokenOf = (headers: Headers): string | null =>
  (headers.get("authorization")?.trim() ?? "").replace(/^Bearer\s+/i, "") || null;

/**
 * The till whose proof a request carries, or none. Throws invalid_dpop_proof when the operation or the session needs
 * one that is missing, refused, or another till's; use_dpop_nonce for a wrong clock; malformed for a private key.
 */
export async function proveTillOf(
  db: Db,
  request: Request,
  actor: UserActor | null,
  needs: "in_use" | "kept" | null,
  now: Date,
): Promise<TillOfRequest> {
  const { headers, method } = request;
  const header = headers.get("dpop");
  const addressOf = () => new URL(env().APP_URL).origin + new URL(request.url).pathname;
  const proved =
    header === null
      ? null
      : await proveTill(db, header, { method, url: addressOf(), token: tokenOf(headers) }, now);
  if (proved && !isTillAccepted(proved.till, needs === "kept", now)) throw refused();
  const bound = actor?.tillId ?? null;
  // A replaced key does not prove the till of a session.
  if (bound !== null && (proved?.till.id !== bound || proved.till.replacedAt !== null)) throw refused();
  if (!proved) {
    if (needs) throw refused();
    return { till: null };
  }
  const { till, bodyHash } = proved;
  const checkBody = (bytes: Buffer) => {
    const signed = bytes.length > 0 || bodyHash !== undefined;
    if (signed && bodyHash !== sha256(bytes)) throw refused();
  };
  return { till, checkBody };
}
