import type { Db } from "@/lib/db/client";
import { applyPending } from "@/lib/points-config/apply-pending";
import { type EditConfig, editConfigSchema } from "@/lib/points-config/model";
import { contextOf, makeCustomer, makeMerchant } from "./factories";
import { move } from "./movements";

/** Makes the open change of a merchant or the platform (null) due, as after its wait. */
export async function makePendingDue(db: Db, merchantId: string | null): Promise<void> {
  await db.$executeRaw`
    update pending_changes set effective_at = now() - interval '1 minute'
    where merchant_id is not distinct from ${merchantId}::uuid and closed_at is null`;
}

/** Runs the job that applies the changes whose time has come, and writes their e-mails. */
export const runPendingJob = (db: Db): Promise<void> =>
  applyPending({ db, transport: undefined as never }, {});

/** Makes the open change of a merchant or the platform (null) due, and runs the job that applies it. */
export async function applyPendingNow(db: Db, merchantId: string | null): Promise<void> {
  await makePendingDue(db, merchantId);
  await runPendingJob(db);
}

/** The platform's first rules with changes, as the input of an edit. */
export const editedRules = (changes: Partial<EditConfig> = {}): EditConfig =>
  editConfigSchema.parse({
    dirhamsPerPoint: 100,
    minTopUp: 1,
    maxTopUp: 5000,
    maxBalance: 20_000,
    undoMinutes: 15,
    workerDailyCap: null,
    ...changes,
  });

/** A merchant with a customer who holds points, so that changes of its configuration wait. */
export async function makeHeld(db: Db) {
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop);
  await move(db, shop, customer, { points: 50 });
  const owner = contextOf(db, shop.owner);
  /** The e-mails to the owner, the oldest first. */
  const mails = () =>
    db.email.findMany({ where: { recipient: shop.owner.email }, orderBy: { createdAt: "asc" } });
  return { shop, customer, merchantId: shop.merchant.id, owner, mails };
}
