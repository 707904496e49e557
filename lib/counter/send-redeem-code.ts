import { giveNotice } from "@/lib/audit/notices";
import { mailCode } from "@/lib/codes/codes";
import { ofEitherId } from "@/lib/db/query";
import { merchantWhere } from "@/lib/domain/actor";
import { maskEmail } from "@/lib/domain/contact";
import { DomainError } from "@/lib/domain/errors";
import { merchantName } from "@/lib/domain/merchant-name";
import { localeOr } from "@/lib/domain/roles";
import { operation } from "@/lib/operations/operation";
import { redeemCodeSchema } from "./model/counter";

/**
 * Mails the customer, in their language, naming the API key that asks, the six-digit code that confirms a redemption at the counter of so many points
 * or less; of the merchant's daily allowance where no amount is asked for. Answers the masked e-mail and how long the
 * code is valid, in seconds. Throws customer_not_found outside the actor's reach, customer_blocked, customer_frozen,
 * rate_limited, validation without an amount where the allowance is 0.
 */
export const sendRedeemCode = operation({
  permission: "money.redeem",
  keyScope: "redeem",
  input: redeemCodeSchema,
  errors: ["customer_not_found", "customer_blocked", "customer_frozen"],
  run: async (ctx, input): Promise<{ sentTo: string; seconds: number }> => {
    const within = merchantWhere(ctx.reach);
    const customer = await ctx.db.customer.findFirst({
      where: { ...ofEitherId(input.customerId), ...within },
      select: {
        id: true,
        email: true,
        locale: true,
        status: true,
        merchantId: true,
        merchant: { select: { businessName: true, businessNameAr: true, redeemAllowance: true } },
      },
    });
    if (!customer?.email) throw new DomainError("customer_not_found");
    if (customer.status === "blocked") throw new DomainError("customer_blocked");
    if (customer.status === "frozen") throw new DomainError("customer_frozen");
    const { id: customerId, email } = customer;
    const points = input.points ?? customer.merchant.redeemAllowance;
    if (points < 1) {
      throw new DomainError("validation", {}, [{ path: "points", message: "validation.points.required" }]);
    }
    const { merchantId } = customer;
    const locale = localeOr(customer.locale);
    const { actor } = ctx;
    const by = actor.type === "user" ? { userId: actor.userId } : { apiKeyId: actor.keyId };
    const about = { merchantId, ...by, customerId, amount: points };
    const { seconds } = await mailCode(
      ctx,
      { purpose: "redeem", email, customerId },
      {
        merchant: merchantName(customer.merchant, locale),
        points,
        ...(actor.type === "apiKey" ? { key: actor.name } : {}),
        shop: merchantId,
        locale,
        beside: (tx) => giveNotice(tx, { kind: "code_asked", ...about }),
      },
    );
    return { sentTo: maskEmail(email), seconds };
  },
});
