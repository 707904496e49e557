import { audit } from "@/lib/audit/audit";
import { giveNotice } from "@/lib/audit/notices";
import type { Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { authorize, targetMerchantId } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { nothingSchema } from "@/lib/domain/ids";
import { type Business, type UpdateBusiness, updateBusinessSchema } from "@/lib/domain/merchant";
import { attachUpload, checkUpload, detachUpload } from "@/lib/files/attach";
import { addJobIfQueueExists } from "@/lib/jobs/add-job";
import { takePendingProfile, toPendingProfile } from "./pending-profile";

const select = {
  id: true,
  businessName: true,
  phone: true,
  imageKey: true,
} as const;

/** The caller's merchant. */
export async function viewBusiness(ctx: Context, _input: Record<never, never>): Promise<Business> {
  const merchantId = targetMerchantId(authorize(ctx.actor, "merchant.profile"), undefined);
  const { profileChange, ...row } = await ctx.db.merchant.findUniqueOrThrow({
    where: { id: merchantId },
    select: { ...select, profileChange: true },
  });
  return { ...row, pending: profileChange && toPendingProfile(profileChange) };
}
viewBusiness.permission = "merchant.profile" as const;

type Profile = { businessName: string; phone: string; imageKey: string | null };

/** What is wanted and differs. `imageKey` is undefined where the image stays. */
type Wanted = { businessName?: string; phone?: string; imageKey?: string | null };

/** Locks the merchant's row, so that concurrent changes and decisions run one after the other. */
export async function lockMerchant(tx: Tx, merchantId: string): Promise<void> {
  await tx.$queryRaw`select 1 from merchants where id = ${merchantId}::uuid for update`;
}

/** Writes a new profile. Detaches a replaced image, and updates the wallet passes, which show name and image. */
export async function writeProfile(
  tx: Tx,
  ctx: Context,
  merchantId: string,
  before: Pick<Profile, "imageKey">,
  wanted: Wanted,
): Promise<void> {
  const { imageKey, businessName } = wanted;
  if (imageKey !== undefined && before.imageKey) await detachUpload(tx, before.imageKey);
  await tx.merchant.update({
    where: { id: merchantId },
    data: { ...wanted, profileVersion: { increment: 1 } },
    select: { id: true },
  });
  if (businessName === undefined && imageKey === undefined) return;
  await addJobIfQueueExists(tx, ctx, "cards_changed", { merchantId }, { key: `cards_changed:${merchantId}` });
}

/** Keeps the name and the image of an approved merchant for an administrator to decide, with what waits already. */
async function keepForDecision(tx: Tx, ctx: Context, merchantId: string, before: Profile, wanted: Wanted) {
  const waiting = await takePendingProfile(tx, merchantId);
  if (wanted.imageKey !== undefined && waiting?.imageKey) await detachUpload(tx, waiting.imageKey);
  const merged = { ...waiting, ...wanted };
  await tx.profileChange.create({
    data: {
      merchantId,
      businessName: merged.businessName ?? null,
      newImage: merged.imageKey !== undefined,
      imageKey: merged.imageKey ?? null,
    },
    select: { id: true },
  });
  await giveNotice(tx, { kind: "profile_waiting", merchantId: null, aboutId: merchantId });
  await audit(tx, ctx, {
    merchantId,
    action: "merchant.profile_asked",
    entity: "merchant",
    entityId: merchantId,
    before: { businessName: before.businessName, imageKey: before.imageKey },
    after: wanted,
  });
}

/**
 * Changes the caller's merchant: name, phone and image. Name and image of an approved merchant wait for an
 * administrator. Throws upload_unknown, upload_mismatch, upload_too_large.
 */
export async function updateBusiness(ctx: Context, input: UpdateBusiness): Promise<Business> {
  const merchantId = targetMerchantId(authorize(ctx.actor, "merchant.profile"), undefined);
  const { image, businessName, phone } = input;
  const file = image ? await checkUpload(ctx, image, "image") : null;
  await ctx.db.$transaction(async (tx) => {
    await lockMerchant(tx, merchantId);
    const { status, ...before } = await tx.merchant.findUniqueOrThrow({
      where: { id: merchantId },
      select: { ...select, status: true },
    });
    if (file) await attachUpload(tx, file, merchantId);
    const shown: Wanted = {
      ...(businessName !== undefined && businessName !== before.businessName ? { businessName } : {}),
      ...(image === undefined || (file === null && before.imageKey === null)
        ? {}
        : { imageKey: file?.key ?? null }),
    };
    const waits = status === "approved" && Object.keys(shown).length > 0;
    if (waits) await keepForDecision(tx, ctx, merchantId, before, shown);
    const direct: Wanted = { ...(waits ? {} : shown), ...(phone === undefined ? {} : { phone }) };
    if (waits && (phone === undefined || phone === before.phone)) return;
    await writeProfile(tx, ctx, merchantId, before, direct);
    const { id: _id, ...previous } = before;
    const change = { before: previous, after: { ...previous, ...direct } };
    const about = { merchantId, entity: "merchant", entityId: merchantId } as const;
    await audit(tx, ctx, { action: "merchant.changed", ...about, ...change });
  });
  return viewBusiness(ctx, {});
}
updateBusiness.permission = "merchant.profile" as const;
updateBusiness.input = updateBusinessSchema;

/** Cancels the change of name and image that waits. Throws conflict when none waits any more. */
export async function cancelProfileChange(
  ctx: Context,
  _input: Record<never, never>,
): Promise<{ cancelled: true }> {
  const merchantId = targetMerchantId(authorize(ctx.actor, "merchant.profile"), undefined);
  await ctx.db.$transaction(async (tx) => {
    await lockMerchant(tx, merchantId);
    const taken = await takePendingProfile(tx, merchantId);
    if (!taken) throw new DomainError("conflict");
    if (taken.imageKey) await detachUpload(tx, taken.imageKey);
    await audit(tx, ctx, {
      merchantId,
      action: "merchant.profile_cancelled",
      entity: "merchant",
      entityId: merchantId,
    });
  });
  return { cancelled: true };
}
cancelProfileChange.permission = "merchant.profile" as const;
cancelProfileChange.input = nothingSchema;
