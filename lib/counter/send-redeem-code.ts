import { mailCode } from "@/lib/codes/codes";
import type { Context } from "@/lib/db/context";
import { customerOfEitherId } from "@/lib/db/query";
import { authorize, merchantWhere } from "@/lib/domain/actor";
import { maskEmail } from "@/lib/domain/contact";
import { type ServeCustomer, serveCustomerSchema } from "@/lib/domain/counter";
import { DomainError } from "@/lib/domain/errors";
import { DEFAULT_LOCALE, isLocale } from "@/lib/domain/roles";

/**
 * Mails the customer, in their language, the six-digit code that confirms a redemption at the counter. Answers the
 * masked e-mail and how long the code is valid, in seconds.
 * Throws customer_not_found outside the actor's reach, customer_blocked, customer_frozen, rate_limited.
 */
export async function sendRedeemCode(
  ctx: Context,
  input: ServeCustomer,
): Promise<{ sentTo: string; seconds: number }> {
  const within = merchantWhere(authorize(ctx.actor, "money.redeem"));
  const customer = await ctx.db.customer.findFirst({
    where: { ...customerOfEitherId(input.customerId), ...within },
    select: {
      id: true,
      email: true,
      locale: true,
      status: true,
      merchant: { select: { businessName: true } },
    },
  });
  if (!customer?.email) throw new DomainError("customer_not_found");
  if (customer.status === "blocked") throw new DomainError("customer_blocked");
  if (customer.status === "frozen") throw new DomainError("customer_frozen");
  const { id: customerId, email } = customer;
  const { seconds } = await mailCode(
    ctx,
    { purpose: "redeem", email, customerId },
    {
      merchant: customer.merchant.businessName,
      locale: isLocale(customer.locale) ? customer.locale : DEFAULT_LOCALE,
    },
  );
  return { sentTo: maskEmail(email), seconds };
}
sendRedeemCode.permission = "money.redeem" as const;
sendRedeemCode.input = serveCustomerSchema;
sendRedeemCode.errors = ["customer_not_found", "customer_blocked", "customer_frozen"] as const;
