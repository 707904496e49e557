import { proveTill } from "@/lib/accounts/till-proof";
import type { Db } from "@/lib/db/client";
import type { ProvedTill } from "@/lib/db/context";
import type { UserActor } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { isTillAccepted } from "@/lib/domain/till";
import { env } from "@/lib/env";
import { sha256 } from "@/lib/secrets/dpop";
import type { CheckBytes } from "./body";

/** The till that proved itself in a request, and the check of the body that it signed. */
export type TillOfRequest = { till: ProvedTill | null; checkBody?: CheckBytes };

const refused = () => new DomainError("invalid_dpop_proof");

/** The token of the Authorization header as the claim `ath` is made of it; null without one. */
const tokenOf = (headers: Headers): string | null =>
  (headers.get("authorization")?.trim() ?? "").replace(/^Bearer\s+/i, "") || null;

/** The proof in the DPoP header of a request by this method and path; null without one. */
export async function proveHeader(
  db: Db,
  headers: Headers,
  { method, path, token }: { method: string; path: string; token: string | null },
  needs: "in_use" | "kept" | null,
  now: Date,
) {
  const header = headers.get("dpop");
  if (header === null) return null;
  const url = new URL(env().APP_URL).origin + path;
  const proved = await proveTill(db, header, { method, url, token }, now);
  if (!isTillAccepted(proved.till, needs === "kept", now)) throw refused();
  return proved;
}

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
  const { headers, method, url } = request;
  const of = { method, path: new URL(url).pathname, token: tokenOf(headers) };
  const proved = await proveHeader(db, headers, of, needs, now);
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
