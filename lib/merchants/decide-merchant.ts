import { auditMerchant } from "@/lib/audit/audit";
import { giveNotice } from "@/lib/audit/notices";
import type { Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import type { MerchantStatus } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { merchantName } from "@/lib/domain/localized-names";
import { localeOr } from "@/lib/domain/roles";
import { queueEmail } from "@/lib/email/queue";
import { env } from "@/lib/env";
import { signupUrl } from "@/lib/files/media-url";
import { operation } from "@/lib/operations/operation";
import { detachFiles, lockMerchant, writeProfile } from "./business";
import { SHOWN, takePendingProfile } from "./lookups";
import { DECIDABLE_FROM, decideMerchantSchema, decideProfileSchema } from "./model/merchant";
import { suspendMerchantSchema } from "./model/merchant-settings";
import type { MerchantDetail } from "./names";
import { getMerchant } from "./read-merchants";

/** The reason that was given, or null. Throws reason_required if one is needed and missing. */
function reasonOf(given: string | undefined, needed: boolean): string | null {
  if (needed && !given) {
    throw new DomainError("reason_required", {}, [{ path: "reason", message: "errors.reason_required" }]);
  }
  return given || null;
}

async function letterToOwner(tx: Tx, ctx: Context, id: string) {
  const { staff, ...merchant } = await tx.merchant.findUniqueOrThrow({
    where: { id },
    select: {
      publicId: true,
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
  const [owner] = staff;
  const locale = localeOr(owner?.locale, ctx.locale);
  return {
    mail: { to: owner?.email ?? merchant.email, locale },
    about: { name: owner?.firstName ?? merchant.firstName, merchant: merchantName(merchant, locale) },
    publicId: merchant.publicId,
  };
}

/** Approves a merchant, or rejects it, and e-mails its owner. Throws conflict when it changed meanwhile. */
export const decideMerchant = operation({
  permission: "merchants.decide",
  input: decideMerchantSchema,
  errors: ["merchant_not_found", "reason_required", "no_change", "conflict"],
  stepUp: true,
  run: async (ctx, input): Promise<MerchantDetail> => {
    const { id, status } = input;
    const reason = reasonOf(input.reason, status === "rejected");
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
      const { mail, about, publicId } = await letterToOwner(tx, ctx, id);
      if (status === "rejected") {
        const params = { ...about, reason: reason ?? "" };
        await queueEmail(tx, { ...mail, template: "merchant_rejected", params });
      } else {
        const params = { ...about, loginUrl: `${env().APP_URL}/login`, signupUrl: signupUrl(publicId) };
        await queueEmail(tx, { ...mail, template: "merchant_approved", params });
      }
      await auditMerchant(tx, ctx, id, {
        action: `merchant.${status}`,
        before: { status: seen },
        after: { status, ...(reason ? { reason } : {}) },
      });
    });
    return getMerchant(ctx, { id });
  },
});

/** Decides a profile's change. Throws reason_required, merchant_not_found, conflict when it changed since. */
export const decideProfile = operation({
  permission: "merchants.decide",
  input: decideProfileSchema,
  stepUp: true,
  run: async (ctx, input): Promise<MerchantDetail> => {
    const { id, changeId, status } = input;
    const reason = reasonOf(input.reason, status === "rejected");
    await ctx.db.$transaction(async (tx) => {
      await lockMerchant(tx, id);
      const before = await tx.merchant.findUnique({ where: { id }, select: SHOWN });
      if (!before) throw new DomainError("merchant_not_found");
      const change = await takePendingProfile(tx, id, changeId);
      if (!change) throw new DomainError("conflict");
      const { id: _id, createdAt: _at, ...wanted } = change;
      if (status === "approved") await writeProfile(tx, ctx, id, before, wanted);
      else await detachFiles(tx, wanted);
      const { mail, about } = await letterToOwner(tx, ctx, id);
      await queueEmail(tx, {
        ...mail,
        template: "profile_decided",
        params: {
          ...about,
          decision: status,
          reason: status === "rejected" ? reason : null,
          url: `${env().APP_URL}/merchant/account`,
        },
      });
      await giveNotice(tx, { kind: `profile_${status}`, merchantId: id });
      await auditMerchant(tx, ctx, id, {
        action: `merchant.profile_${status}`,
        before,
        after: { ...wanted, ...(reason ? { reason } : {}) },
      });
    });
    return getMerchant(ctx, { id });
  },
});

/** Suspends a merchant with a reason, or ends that: nothing is posted, no bonus expires, staff only read. Mails the owner. */
export const suspendMerchant = operation({
  permission: "merchants.suspend",
  input: suspendMerchantSchema,
  errors: ["merchant_not_found", "reason_required", "no_change"],
  stepUp: true,
  run: async (ctx, input): Promise<MerchantDetail> => {
    const { id, suspended } = input;
    const reason = reasonOf(input.reason, suspended);
    await ctx.db.$transaction(async (tx) => {
      // The state before is part of the where, so of two concurrent calls one changes it and sends the e-mail.
      const [changed] = await tx.$queryRaw<{ reason: string | null }[]>`
      update merchants set
        suspended_at = case when ${suspended}::boolean then ${ctx.clock()}::timestamptz end,
        suspension_reason = case when ${suspended}::boolean then ${reason}::text end, updated_at = now()
      where id = ${id}::uuid and (suspended_at is not null) <> ${suspended}::boolean
      returning old.suspension_reason as reason`;
      if (!changed) {
        const found = await tx.merchant.findUnique({ where: { id }, select: { id: true } });
        throw new DomainError(found ? "no_change" : "merchant_not_found");
      }
      const { mail, about } = await letterToOwner(tx, ctx, id);
      if (suspended) {
        const params = { ...about, reason: reason ?? "" };
        await queueEmail(tx, { ...mail, template: "merchant_suspended", params });
      } else {
        const params = { ...about, loginUrl: `${env().APP_URL}/login` };
        await queueEmail(tx, { ...mail, template: "merchant_reinstated", params });
      }
      await auditMerchant(tx, ctx, id, {
        action: suspended ? "merchant.suspended" : "merchant.reinstated",
        before: { suspended: !suspended, ...(changed.reason ? { reason: changed.reason } : {}) },
        after: { suspended, ...(reason ? { reason } : {}) },
      });
    });
    return getMerchant(ctx, { id });
  },
});
