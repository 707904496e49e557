import { audit } from "@/lib/audit/audit";
import type { Context } from "@/lib/db/context";
import { authorize, targetMerchantId } from "@/lib/domain/actor";
import { type Business, type UpdateBusiness, updateBusinessSchema } from "@/lib/domain/merchant";
import { attachUpload, checkUpload, detachUpload } from "@/lib/files/attach";
import { addJobIfQueueExists } from "@/lib/jobs/add-job";

const select = {
  id: true,
  businessName: true,
  phone: true,
  imageKey: true,
} as const;

/** The caller's merchant. */
export async function viewBusiness(ctx: Context, _input: Record<never, never>): Promise<Business> {
  const merchantId = targetMerchantId(authorize(ctx.actor, "merchant.profile"), undefined);
  return ctx.db.merchant.findUniqueOrThrow({ where: { id: merchantId }, select });
}
viewBusiness.permission = "merchant.profile" as const;

/**
 * Changes the caller's merchant: name, phone and image. Throws upload_unknown, upload_mismatch, upload_too_large.
 */
export async function updateBusiness(ctx: Context, input: UpdateBusiness): Promise<Business> {
  const merchantId = targetMerchantId(authorize(ctx.actor, "merchant.profile"), undefined);
  const { image, ...fields } = input;
  const file = image ? await checkUpload(ctx, image, "image") : null;
  return ctx.db.$transaction(async (tx) => {
    // The row lock makes concurrent image changes run one after the other, so each detaches the image before it.
    await tx.$queryRaw`select 1 from merchants where id = ${merchantId}::uuid for update`;
    const before = await tx.merchant.findUniqueOrThrow({ where: { id: merchantId }, select });
    if (image !== undefined && before.imageKey) await detachUpload(tx, before.imageKey);
    if (file) await attachUpload(tx, file, merchantId);
    const row = await tx.merchant.update({
      where: { id: merchantId },
      data: { ...fields, ...(image === undefined ? {} : { imageKey: file?.key ?? null }) },
      select,
    });
    const { id: _id, ...after } = row;
    const { id: _before, ...previous } = before;
    await audit(tx, ctx, {
      merchantId,
      action: "merchant.changed",
      entity: "merchant",
      entityId: merchantId,
      before: previous,
      after,
    });
    // Wallet passes show the name and the image.
    if (row.businessName !== before.businessName || row.imageKey !== before.imageKey) {
      await addJobIfQueueExists(
        tx,
        ctx,
        "cards_changed",
        { merchantId },
        { key: `cards_changed:${merchantId}` },
      );
    }
    return row;
  });
}
updateBusiness.permission = "merchant.profile" as const;
updateBusiness.input = updateBusinessSchema;
