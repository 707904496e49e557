import type { Context } from "@/lib/db/context";
import { eitherIdIs } from "@/lib/db/query";
import type { StaffActor } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import type { TopUp } from "./model/movements";

/** The tenders of a merchant's staff came with their session; only for others (a super_admin) are they read here. */
async function acceptedTenders(ctx: Context<StaffActor>, customerId: string): Promise<string[] | null> {
  const { actor, db } = ctx;
  if (actor.type === "user" && actor.merchantTenders) return actor.merchantTenders;
  const [merchant] = await db.$queryRaw<{ tenders: string[] }[]>`
    select m.tenders::text[] as tenders from customers c join merchants m on m.id = c.merchant_id
    where ${eitherIdIs(customerId)}`;
  return merchant?.tenders ?? null;
}

/** Throws tender_not_taken for a way of paying that the customer's merchant does not accept; the default is cash. */
export async function assertTenderTaken(
  ctx: Context<StaffActor>,
  { customerId, tender = "cash" }: Pick<TopUp, "customerId" | "tender">,
): Promise<void> {
  const accepted = await acceptedTenders(ctx, customerId);
  // The posting refuses an unknown customer.
  if (accepted === null || accepted.includes(tender)) return;
  throw new DomainError("tender_not_taken", {}, [{ path: "tender", message: "errors.tender_not_taken" }]);
}
