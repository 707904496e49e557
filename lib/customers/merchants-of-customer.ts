import type { Context } from "@/lib/db/context";
import { authorize, merchantWhere } from "@/lib/domain/actor";
import type { ServedCustomer } from "@/lib/domain/counter";
import type { MerchantsOfCustomer } from "@/lib/domain/schemas/counter";
import { servingMerchant } from "./serving-merchant";

/** The merchants of the actor's reach at which this e-mail holds a card, each with its open branches; by name. */
export async function merchantsOfCustomer(
  ctx: Context,
  input: MerchantsOfCustomer,
): Promise<ServedCustomer["merchant"][]> {
  const { merchantId } = merchantWhere(authorize(ctx.actor, "customers.find"));
  return ctx.db.merchant.findMany({
    where: {
      ...(merchantId ? { id: merchantId } : {}),
      status: "approved",
      customers: { some: { email: input.email } },
    },
    orderBy: [{ businessName: "asc" }, { id: "asc" }],
    take: 200,
    select: servingMerchant,
  });
}
merchantsOfCustomer.permission = "customers.find" as const;
