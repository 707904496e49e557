import type { Db } from "@/lib/db/client";
import type { ProvedTill } from "@/lib/db/context";

const select = { id: true, merchantId: true, branchId: true, name: true, retiredAt: true } as const;

/**
 * Answers the till that has this key, or had it before it was paired again. Null if no till ever had this
 * key.
 */
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
