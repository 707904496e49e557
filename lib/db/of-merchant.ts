import type { Reach } from "@/lib/domain/actor";
import { Prisma } from "./generated/client";

/** The reach as a condition on `merchant_id`, to stand after another condition. */
export function ofMerchant(reach: Reach): Prisma.Sql {
  return reach.scope === "any" ? Prisma.empty : Prisma.sql`and merchant_id = ${reach.merchantId}::uuid`;
}
