import type { Db } from "@/lib/db/client";
import type { ShiftView } from "@/lib/tills/names";
import { makeCustomer, makeMerchant, makeWorker } from "./factories";
import { contextAt, makeTill } from "./tills";

/** A merchant with a worker at a paired till, a customer, and the context of that worker there. */
export async function shopWithTill(db: Db, overrides: Parameters<typeof makeMerchant>[1] = {}) {
  const shop = await makeMerchant(db, {
    refundDays: 5,
    redeemAllowance: 20_000,
    unprovedWorkerDaily: 20_000,
    ...overrides,
  });
  const worker = await makeWorker(db, shop);
  const at = await makeTill(db, shop);
  const customer = await makeCustomer(db, shop);
  const place = { customerId: customer.id, branchId: shop.branch.id };
  return { shop, worker, at, customer, place, ctx: contextAt(db, worker, at) };
}

/** The cash of a report; nothing expected where none moved. */
export const cashOf = ({ report }: ShiftView) =>
  report?.tenders.find(({ tender }) => tender === "cash") ?? {
    tender: "cash",
    expected: 0,
    counted: null,
    difference: null,
  };
