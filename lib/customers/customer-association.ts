import type { Context } from "@/lib/db/context";
import { authorize, merchantWhere } from "@/lib/domain/actor";
import type { CustomerAssociation } from "@/lib/domain/schemas/counter";

/**
 * Whether the customer holds a card of the merchant that is named: by its own id, or by the id of one of its people.
 * An administrator who names themself means every merchant. False beyond the actor's own reach.
 */
export async function customerAssociation(
  ctx: Context,
  input: CustomerAssociation,
): Promise<{ exists: boolean }> {
  const reach = merchantWhere(authorize(ctx.actor, "customers.find"));
  const named =
    input.within === ctx.actor.userId
      ? {}
      : { OR: [{ id: input.within }, { staff: { some: { id: input.within } } }] };
  const found = await ctx.db.customer.findFirst({
    where: {
      AND: [
        { OR: [{ id: input.customerId }, { publicId: input.customerId }] },
        reach,
        { status: { not: "erased" }, merchant: named },
      ],
    },
    select: { id: true },
  });
  return { exists: found !== null };
}
customerAssociation.permission = "customers.find" as const;
