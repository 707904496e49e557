import type { Db } from "@/lib/db/client";
import type { ProvedTill } from "@/lib/db/context";
import { DomainError } from "@/lib/domain/errors";
import { type ProvedRequest, sha256, verifyProof } from "./dpop";
import { tillOfKey } from "./till-of-key";

/** How long a proof is remembered, in seconds: by then its time or its nonce is too old. */
const REMEMBERED_SECONDS = 5 * 60;

/** Keeps a proof's id, for all servers. Throws invalid_dpop_proof for one that was used before. */
async function spendProof(db: Db, thumbprint: string, jti: string, now: Date): Promise<void> {
  const hash = sha256(`${thumbprint}\n${jti}`);
  const expiresAt = new Date(now.getTime() + REMEMBERED_SECONDS * 1000);
  const { count } = await db.tillProof.createMany({ data: [{ hash, expiresAt }], skipDuplicates: true });
  if (count === 0) throw new DomainError("invalid_dpop_proof");
}

/**
 * Answers the till whose key signed this till proof of this request, and the hash of the body in the till
 * proof (base64url SHA-256). The key may be the present or a former one, and the till may be retired. Throws
 * invalid_dpop_proof if no till has the key or if the till proof was used before, and the errors of
 * verifyProof.
 */
export async function proveTill(
  db: Db,
  header: string,
  of: ProvedRequest,
  now: Date,
): Promise<{ till: ProvedTill; bodyHash: string | undefined }> {
  const { thumbprint, claims } = await verifyProof(header, of, now);
  const till = await tillOfKey(db, thumbprint);
  // Only a till's proofs are kept: strangers' would fill the table.
  if (!till) throw new DomainError("invalid_dpop_proof");
  await spendProof(db, thumbprint, claims.jti, now);
  return { till, bodyHash: claims.bh };
}
