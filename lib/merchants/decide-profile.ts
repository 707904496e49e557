import { audit } from "@/lib/audit/audit";
import { giveNotice } from "@/lib/audit/notices";
import type { Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { authorize } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { type DecideProfile, decideProfileSchema, type MerchantDetail } from "@/lib/domain/merchant";
import { isLocale } from "@/lib/domain/roles";
import { queueEmail } from "@/lib/email/queue";
import { env } from "@/lib/env";
import { detachUpload } from "@/lib/files/attach";
import { lockMerchant, writeProfile } from "./business";
import { takePendingProfile } from "./pending-profile";
import { getMerchant } from "./read-merchants";

async function notifyOwner(tx: Tx, ctx: Context, input: DecideProfile): Promise<void> {
  const { staff, ...merchant } = await tx.merchant.findUniqueOrThrow({
    where: { id: input.id },
    select: {
      businessName: true,
      firstName: true,
      email: true,
      staff: {
        where: { role: "merchant_owner" },
        orderBy: { createdAt: "asc" },
        take: 1,
        select: { email: true, firstName: true, locale: true },
      },
    },
  });
  const owner = staff[0];
  await queueEmail(tx, {
    to: owner?.email ?? merchant.email,
    template: "profile_decided",
    params: {
      name: owner?.firstName ?? merchant.firstName,
      merchant: merchant.businessName,
      decision: input.status,
      reason: input.status === "rejected" ? (input.reason ?? "") : null,
      url: `${env().APP_URL}/merchant/account`,
    },
    locale: isLocale(owner?.locale) ? owner.locale : ctx.locale,
  });
}

/**
 * Approves or rejects (with a reason) the change of a merchant's name and image, and e-mails the owner. The change is
 * the one that was shown. Throws reason_required, merchant_not_found, and conflict when the change was decided, cancelled
 * or replaced meanwhile.
 */
export async function decideProfile(ctx: Context, input: DecideProfile): Promise<MerchantDetail> {
  authorize(ctx.actor, "merchants.decide");
  const { id, changeId, status } = input;
  const reason = input.reason || null;
  if (status === "rejected" && reason === null) {
    throw new DomainError("reason_required", {}, [{ path: "reason", message: "errors.reason_required" }]);
  }
  await ctx.db.$transaction(async (tx) => {
    await lockMerchant(tx, id);
    const before = await tx.merchant.findUnique({
      where: { id },
      select: { businessName: true, imageKey: true },
    });
    if (!before) throw new DomainError("merchant_not_found");
    const change = await takePendingProfile(tx, id, changeId);
    if (!change) throw new DomainError("conflict");
    const { businessName, imageKey } = change;
    const wanted = {
      ...(businessName === undefined ? {} : { businessName }),
      ...(imageKey === undefined ? {} : { imageKey }),
    };
    if (status === "approved") await writeProfile(tx, ctx, id, before, wanted);
    else if (imageKey) await detachUpload(tx, imageKey);
    await notifyOwner(tx, ctx, { ...input, reason: reason ?? undefined });
    await giveNotice(tx, { kind: `profile_${status}`, merchantId: id });
    await audit(tx, ctx, {
      merchantId: id,
      action: `merchant.profile_${status}`,
      entity: "merchant",
      entityId: id,
      before,
      after: { ...wanted, ...(reason ? { reason } : {}) },
    });
  });
  return getMerchant(ctx, { id });
}
decideProfile.stepUp = true as const;
decideProfile.permission = "merchants.decide" as const;
decideProfile.input = decideProfileSchema;
