import { audit } from "@/lib/audit/audit";
import { giveNotice } from "@/lib/audit/notices";
import type { Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { DomainError } from "@/lib/domain/errors";
import { merchantName } from "@/lib/domain/merchant-name";
import { localeOr } from "@/lib/domain/roles";
import { queueEmail } from "@/lib/email/queue";
import { env } from "@/lib/env";
import { operation } from "@/lib/operations/operation";
import { dropFiles, lockMerchant, writeProfile } from "./business";
import { type DecideProfile, decideProfileSchema, type MerchantDetail } from "./model/merchant";
import { SHOWN, takePendingProfile } from "./pending-profile";
import { getMerchant } from "./read-merchants";

async function notifyOwner(tx: Tx, ctx: Context, input: DecideProfile): Promise<void> {
  const { staff, ...merchant } = await tx.merchant.findUniqueOrThrow({
    where: { id: input.id },
    select: {
      businessName: true,
      businessNameAr: true,
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
  const locale = localeOr(owner?.locale, ctx.locale);
  await queueEmail(tx, {
    to: owner?.email ?? merchant.email,
    template: "profile_decided",
    params: {
      name: owner?.firstName ?? merchant.firstName,
      merchant: merchantName(merchant, locale),
      decision: input.status,
      reason: input.status === "rejected" ? (input.reason ?? "") : null,
      url: `${env().APP_URL}/merchant/account`,
    },
    locale,
  });
}

/**
 * Approves or rejects (with a reason) the change of what a merchant's customers see of it, and e-mails the owner. The
 * change is the one that was shown. Throws reason_required, merchant_not_found, and conflict when the change was
 * decided, cancelled or replaced meanwhile.
 */
export const decideProfile = operation({
  permission: "merchants.decide",
  input: decideProfileSchema,
  stepUp: true,
  run: async (ctx, input): Promise<MerchantDetail> => {
    const { id, changeId, status } = input;
    const reason = input.reason || null;
    if (status === "rejected" && reason === null) {
      throw new DomainError("reason_required", {}, [{ path: "reason", message: "errors.reason_required" }]);
    }
    await ctx.db.$transaction(async (tx) => {
      await lockMerchant(tx, id);
      const before = await tx.merchant.findUnique({
        where: { id },
        select: SHOWN,
      });
      if (!before) throw new DomainError("merchant_not_found");
      const change = await takePendingProfile(tx, id, changeId);
      if (!change) throw new DomainError("conflict");
      const { id: _id, createdAt: _at, ...wanted } = change;
      if (status === "approved") await writeProfile(tx, ctx, id, before, wanted);
      else await dropFiles(tx, wanted);
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
  },
});
