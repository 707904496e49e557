import type { Tx } from "@/lib/db/client";
import type { ProfileChange } from "@/lib/db/generated/client";
import type { PendingProfile, ShownProfile } from "./model/merchant";

/** The columns of what customers see of a merchant, and an administrator approves. */
export const SHOWN = {
  businessName: true,
  businessNameAr: true,
  imageKey: true,
  logoKey: true,
  colour: true,
} as const;

/** The columns of SHOWN that name files. */
export const SHOWN_FILES = ["imageKey", "logoKey"] as const;

/** Makes a pending profile of a row of profile_changes. It leaves out the fields that stay the same. */
export function toPendingProfile(row: ProfileChange): PendingProfile {
  return {
    id: row.id,
    createdAt: row.createdAt,
    ...(row.businessName === null ? {} : { businessName: row.businessName }),
    ...(row.newNameAr ? { businessNameAr: row.businessNameAr } : {}),
    ...(row.newImage ? { imageKey: row.imageKey } : {}),
    ...(row.newLogo ? { logoKey: row.logoKey } : {}),
    ...(row.newColour ? { colour: row.colour } : {}),
  };
}

/** The row of profile_changes of what is wanted. */
export function toProfileChange(wanted: Partial<ShownProfile>) {
  const { businessName, businessNameAr, imageKey, logoKey, colour } = wanted;
  return {
    businessName: businessName ?? null,
    newNameAr: businessNameAr !== undefined,
    businessNameAr: businessNameAr ?? null,
    newImage: imageKey !== undefined,
    imageKey: imageKey ?? null,
    newLogo: logoKey !== undefined,
    logoKey: logoKey ?? null,
    newColour: colour !== undefined,
    colour: colour ?? null,
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
