import { MERCHANT_REF, type MerchantRef } from "@/lib/domain/merchant-name";
import type { Db } from "./client";

// A longer select is not usable; the search of a list finds the rest.
const MOST = 500;

/** The approved merchants that a select offers, and the one that is chosen already, whatever its status. */
export async function merchantChoices(db: Db, chosen: string | undefined): Promise<MerchantRef[]> {
  const approved = await db.merchant.findMany({
    where: { status: "approved" },
    orderBy: [{ businessName: "asc" }, { id: "asc" }],
    take: MOST,
    select: MERCHANT_REF,
  });
  if (!chosen || approved.some(({ id }) => id === chosen)) return approved;
  return [...approved, ...(await db.merchant.findMany({ where: { id: chosen }, select: MERCHANT_REF }))];
}
