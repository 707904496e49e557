import type { Db } from "./client";
import type { ProvedTill } from "./context";

const select = { id: true, merchantId: true, branchId: true, name: true, retiredAt: true } as const;

/** The till that this key proves, or proved until it was paired anew; null for a key that never was a till's. */
export async function tillOfKey(db: Db, thumbprint: string): Promise<ProvedTill | null> {
  const till = await db.till.findUnique({ where: { thumbprint }, select: { ...select, publicKey: true } });
  if (till) return provedBy(thumbprint, till, till.publicKey, null);
  const former = await db.tillFormerKey.findUnique({
    where: { thumbprint },
    select: { publicKey: true, replacedAt: true, till: { select } },
  });
  return former && provedBy(thumbprint, former.till, former.publicKey, former.replacedAt);
}

function provedBy(
  thumbprint: string,
  { id, merchantId, branchId, name, retiredAt }: Omit<ProvedTill, "thumbprint" | "publicKey" | "replacedAt">,
  publicKey: unknown,
  replacedAt: Date | null,
): ProvedTill {
  const key = publicKey as Record<string, unknown>;
  return { id, merchantId, branchId, name, retiredAt, publicKey: key, thumbprint, replacedAt };
}
