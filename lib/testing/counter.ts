import { expect } from "vitest";
import type { Db } from "@/lib/db/client";
import type { Prisma } from "@/lib/db/generated/client";
import { giveBonus, redeem, topUp } from "@/lib/ledger/move-points";
import { contextOf, makeCustomer, makeMerchant, makeWorker } from "./factories";

export const DAY = 86_400_000;
/** Noon in Doha, when each counter's clock starts. */
export const NOON = new Date("2026-07-15T09:00:00Z");
/** The error of a refusal, for expect. */
export const refused = (code: string, params?: object) =>
  expect.objectContaining({ name: "DomainError", code, ...(params ? { params } : {}) });

/** A merchant with a worker and a customer, a clock that is moved by hand, and short ways to move points. */
export async function makeCounter(db: Db, settings: Partial<Prisma.MerchantUncheckedCreateInput> = {}) {
  const shop = await makeMerchant(db, { redeemAllowance: 10_000, ...settings });
  const worker = await makeWorker(db, shop);
  const customer = await makeCustomer(db, shop);
  let now = NOON;
  const clock = () => now;
  const [ctx, owner] = [contextOf(db, worker, { clock }), contextOf(db, shop.owner, { clock })];
  const at = { customerId: customer.id, branchId: shop.branch.id };
  const later = (milliseconds: number) => {
    now = new Date(now.getTime() + milliseconds);
  };
  const give = (points: number, more = {}) => topUp(ctx, { ...at, points, ...more });
  const take = (points: number, more = {}) => redeem(ctx, { ...at, points, ...more });
  const bonus = (points: number, endsOn?: string, more = {}) =>
    giveBonus(owner, { ...at, points, endsOn, reason: "A gift", ...more });
  const card = () =>
    db.customer.findUniqueOrThrow({
      where: { id: customer.id },
      include: { lots: { orderBy: { id: "asc" } } },
    });
  const override = (rules: Partial<Prisma.PointsConfigUncheckedCreateInput>, version = 1) =>
    db.pointsConfig.create({
      data: {
        merchantId: shop.merchant.id,
        version,
        dirhamsPerPoint: 100,
        minTopUp: 1,
        maxTopUp: 5000,
        maxBalance: 20000,
        undoMinutes: 15,
        ...rules,
      },
    });
  return { shop, worker, customer, ctx, owner, at, later, give, take, bonus, card, override };
}
