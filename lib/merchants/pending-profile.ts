import type { Tx } from "@/lib/db/client";
import type { ProfileChange } from "@/lib/db/generated/client";
import type { PendingProfile } from "@/lib/domain/merchant";

/** A row of profile_changes: what stays is left out. */
export function toPendingProfile(row: ProfileChange): PendingProfile {
  return {
    id: row.id,
    createdAt: row.createdAt,
    ...(row.businessName === null ? {} : { businessName: row.businessName }),
    ...(row.newImage ? { imageKey: row.imageKey } : {}),
  };
}

/**
 * Deletes the change of a merchant's profile that waits, if it is the one with this id (without an id: any). Answers it,
 * or null when it was decided, cancelled or replaced.
 */
export async function takePendingProfile(
  tx: Tx,
  merchantId: string,
  id?: string,
): Promise<PendingProfile | null> {
  const row = await tx.profileChange.findFirst({ where: { merchantId, id } });
  if (!row) return null;
  const { count } = await tx.profileChange.deleteMany({ where: { id: row.id } });
  return count === 0 ? null : toPendingProfile(row);
}
