import type { Context } from "@/lib/db/context";
import { authorize, merchantWhere } from "@/lib/domain/actor";
import { byName } from "@/lib/domain/by-name";
import type { MerchantChoice } from "@/lib/domain/counter";
import { servingMerchant } from "./serving-merchant";

// What a choice in a dialog can hold; a customer's own merchant is offered beside them in any case.
const OFFERED = 200;

/** Approved merchants of the actor's reach, by name, each with its open branches: what a top-up can be booked on. */
export async function merchantsToServe(
  ctx: Context,
  _input: Record<never, never>,
): Promise<MerchantChoice[]> {
  const { merchantId } = merchantWhere(authorize(ctx.actor, "money.topUp"));
  const { id, businessName, branches } = servingMerchant;
  const found = await ctx.db.merchant.findMany({
    where: { ...(merchantId ? { id: merchantId } : {}), status: "approved" },
    orderBy: [{ businessName: "asc" }, { id: "asc" }],
    take: OFFERED,
    select: { id, businessName, branches },
  });
  return found.sort(byName((merchant) => merchant.businessName));
}
merchantsToServe.permission = "money.topUp" as const;
