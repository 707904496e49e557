import type { Context } from "@/lib/db/context";
import type { Prisma } from "@/lib/db/generated/client";
import { authorize, merchantWhere } from "@/lib/domain/actor";
import type { ServedCustomer } from "@/lib/domain/counter";
import { DomainError } from "@/lib/domain/errors";
import { cashValue } from "@/lib/domain/money";
import type { ServeCustomer } from "@/lib/domain/schemas/counter";
import { rateInForce } from "./counter-rate";
import { servingMerchant } from "./serving-merchant";

const selection = {
  id: true,
  publicId: true,
  fullName: true,
  email: true,
  phone: true,
  dateOfBirth: true,
  balance: true,
  registeredAt: true,
  merchant: { select: servingMerchant },
} satisfies Prisma.CustomerSelect;

/**
 * One customer to serve, by the private or the public id, with the business that holds the card and its open branches.
 * Throws customer_not_found for another merchant's customer as for none.
 */
export async function serveCustomer(ctx: Context, input: ServeCustomer): Promise<ServedCustomer> {
  const within = merchantWhere(authorize(ctx.actor, "customers.find"));
  const row = await ctx.db.customer.findFirst({
    where: {
      OR: [{ id: input.customerId }, { publicId: input.customerId }],
      ...within,
      status: { not: "erased" },
    },
    select: selection,
  });
  if (!row) throw new DomainError("customer_not_found");
  const { dateOfBirth, ...customer } = row;
  const rate = await rateInForce(ctx.db, row.merchant.id);
  return {
    ...customer,
    rate,
    dateOfBirth: dateOfBirth?.toISOString().slice(0, 10) ?? null,
    cashValue: cashValue(row.balance, rate),
  };
}
serveCustomer.permission = "customers.find" as const;
