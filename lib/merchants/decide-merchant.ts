import { audit } from "@/lib/audit/audit";
import type { Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import type { MerchantStatus } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { merchantName } from "@/lib/domain/merchant-name";
import { localeOr } from "@/lib/domain/roles";
import { queueEmail } from "@/lib/email/queue";
import { env } from "@/lib/env";
import { operation } from "@/lib/operations/operation";
import {
  DECIDABLE_FROM,
  type DecideMerchant,
  decideMerchantSchema,
  type MerchantDetail,
} from "./model/merchant";
import { getMerchant } from "./read-merchants";

async function notifyOwner(tx: Tx, ctx: Context, id: string, input: DecideMerchant): Promise<void> {
  const merchant = await tx.merchant.findUniqueOrThrow({
    where: { id },
    select: {
      publicId: true,
      businessName: true,
      businessNameAr: true,
      firstName: true,
      email: true,
      staff: { where: { role: "merchant_owner" }, take: 1, select: { email: true, locale: true } },
    },
  });
  const owner = merchant.staff[0];
  const mail = {
    to: owner?.email ?? merchant.email,
    locale: localeOr(owner?.locale, ctx.locale),
  };
  const about = { name: merchant.firstName, merchant: merchantName(merchant, mail.locale) };
  if (input.status === "rejected") {
    const params = { ...about, reason: input.reason ?? "" };
    await queueEmail(tx, { ...mail, template: "merchant_rejected", params });
    return;
  }
  const site = env().APP_URL;
  const params = {
    ...about,
    loginUrl: `${site}/login`,
    signupUrl: `${site}/customer/signup/${merchant.publicId}`,
  };
  await queueEmail(tx, { ...mail, template: "merchant_approved", params });
}

/**
 * Approves a merchant, or rejects it with a reason, and e-mails its owner. The first of two concurrent decisions wins.
 * Throws merchant_not_found, reason_required, no_change when the merchant already has that status, conflict when
 * another administrator decided, or the profile was changed, meanwhile.
 */
export const decideMerchant = operation({
  permission: "merchants.decide",
  input: decideMerchantSchema,
  errors: ["merchant_not_found", "reason_required", "no_change", "conflict"],
  stepUp: true,
  run: async (ctx, input): Promise<MerchantDetail> => {
    const { id, status } = input;
    const reason = input.reason || null;
    if (status === "rejected" && reason === null) {
      throw new DomainError("reason_required", {}, [{ path: "reason", message: "errors.reason_required" }]);
    }
    const before = await ctx.db.merchant.findUnique({ where: { id }, select: { status: true } });
    if (!before) throw new DomainError("merchant_not_found");
    const seen = input.seen ?? before.status;
    const legal: readonly MerchantStatus[] = DECIDABLE_FROM[status];
    if (!legal.includes(seen)) throw new DomainError("no_change");
    await ctx.db.$transaction(async (tx) => {
      // The expected status is part of the where, so the write itself decides which of two decisions is first.
      const { count } = await tx.merchant.updateMany({
        where: { id, status: seen, profileVersion: input.version },
        data: {
          status,
          statusReason: status === "rejected" ? reason : null,
          decidedAt: ctx.clock(),
          decidedById: ctx.actor.userId,
        },
      });
      if (count === 0) throw new DomainError("conflict");
      await notifyOwner(tx, ctx, id, input);
      await audit(tx, ctx, {
        merchantId: id,
        action: `merchant.${status}`,
        entity: "merchant",
        entityId: id,
        before: { status: seen },
        after: { status, ...(reason ? { reason } : {}) },
      });
    });
    return getMerchant(ctx, { id });
  },
});
