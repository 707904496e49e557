import { audit } from "@/lib/audit/audit";
import type { Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { DomainError } from "@/lib/domain/errors";
import { merchantName } from "@/lib/domain/merchant-name";
import { localeOr } from "@/lib/domain/roles";
import { queueEmail } from "@/lib/email/queue";
import { env } from "@/lib/env";
import { operation } from "@/lib/operations/operation";
import type { MerchantDetail } from "./model/merchant";
import { suspendMerchantSchema } from "./model/merchant-settings";
import { getMerchant } from "./read-merchants";

async function notifyOwner(tx: Tx, ctx: Context, id: string, reason: string | null): Promise<void> {
  const { staff, ...merchant } = await tx.merchant.findUniqueOrThrow({
    where: { id },
    select: {
      businessName: true,
      businessNameAr: true,
      firstName: true,
      email: true,
      staff: { where: { role: "merchant_owner" }, take: 1, select: { email: true, locale: true } },
    },
  });
  const owner = staff[0];
  const mail = {
    to: owner?.email ?? merchant.email,
    locale: localeOr(owner?.locale, ctx.locale),
  };
  const about = { name: merchant.firstName, merchant: merchantName(merchant, mail.locale) };
  if (reason === null) {
    const params = { ...about, loginUrl: `${env().APP_URL}/login` };
    await queueEmail(tx, { ...mail, template: "merchant_reinstated", params });
  } else {
    await queueEmail(tx, { ...mail, template: "merchant_suspended", params: { ...about, reason } });
  }
}

/**
 * Suspends a merchant with a reason, or ends its suspension, and e-mails its owner. While it is suspended nothing is
 * posted, no bonus expires, and its staff can only read. Its approval status stays as it is.
 * Throws merchant_not_found, reason_required, and no_change when it is already so.
 */
export const suspendMerchant = operation({
  permission: "merchants.suspend",
  input: suspendMerchantSchema,
  errors: ["merchant_not_found", "reason_required", "no_change"],
  stepUp: true,
  run: async (ctx, input): Promise<MerchantDetail> => {
    const { id, suspended } = input;
    const reason = input.reason || null;
    if (suspended && reason === null) {
      throw new DomainError("reason_required", {}, [{ path: "reason", message: "errors.reason_required" }]);
    }
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
      await notifyOwner(tx, ctx, id, suspended ? reason : null);
      await audit(tx, ctx, {
        merchantId: id,
        action: suspended ? "merchant.suspended" : "merchant.reinstated",
        entity: "merchant",
        entityId: id,
        before: { suspended: !suspended, ...(changed.reason ? { reason: changed.reason } : {}) },
        after: { suspended, ...(reason ? { reason } : {}) },
      });
    });
    return getMerchant(ctx, { id });
  },
});
