import { audit } from "@/lib/audit/audit";
import type { Db } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { authorize, targetMerchantId } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { type Business, type UpdateBusiness, updateBusinessSchema } from "@/lib/domain/merchant";
import { attachUpload, checkUpload, detachUpload } from "@/lib/files/attach";
import { addJobIfAny } from "@/lib/jobs/add-job";

const select = {
  id: true,
  businessName: true,
  phone: true,
  imageKey: true,
  redeemAllowance: true,
} as const;

async function maxBalance(db: Db, merchantId: string): Promise<number> {
  const [rules] = await db.$queryRaw<{ max: number }[]>`
    select max_balance as max from points_config_in_force(${merchantId}::uuid)`;
  return rules?.max ?? 0;
}

/** The own merchant's profile. */
export async function viewBusiness(ctx: Context, _input: Record<never, never>): Promise<Business> {
  const merchantId = targetMerchantId(authorize(ctx.actor, "merchant.profile"), undefined);
  const [row, max] = await Promise.all([
    ctx.db.merchant.findUniqueOrThrow({ where: { id: merchantId }, select }),
    maxBalance(ctx.db, merchantId),
  ]);
  return { ...row, maxBalance: max };
}
viewBusiness.permission = "merchant.profile" as const;

/**
 * Changes the own merchant's name, phone, image and the points a customer may redeem in a day without proof.
 * Throws above_maximum (the maximum balance), upload_unknown, upload_mismatch, upload_too_large.
 */
export async function updateBusiness(ctx: Context, input: UpdateBusiness): Promise<Business> {
  const merchantId = targetMerchantId(authorize(ctx.actor, "merchant.profile"), undefined);
  const { image, ...fields } = input;
  const max = await maxBalance(ctx.db, merchantId);
  if ((fields.redeemAllowance ?? 0) > max) {
    throw new DomainError("above_maximum", { limit: max }, [
      { path: "redeemAllowance", message: "validation.allowance" },
    ]);
  }
  const file = image ? await checkUpload(ctx, image, "image") : null;
  return ctx.db.$transaction(async (tx) => {
    // Held, so that of two new images at once each takes the place of the one before it.
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
    const { id: _before, ...was } = before;
    await audit(tx, ctx, {
      merchantId,
      action: "merchant.changed",
      entity: "merchant",
      entityId: merchantId,
      before: was,
      after,
    });
    // Its name and picture are on the wallet passes.
    if (row.businessName !== before.businessName || row.imageKey !== before.imageKey) {
      await addJobIfAny(tx, ctx, "cards_changed", { merchantId }, { key: `cards_changed:${merchantId}` });
    }
    return { ...row, maxBalance: max };
  });
}
updateBusiness.permission = "merchant.profile" as const;
updateBusiness.input = updateBusinessSchema;
