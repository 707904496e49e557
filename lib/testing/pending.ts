import type { Db } from "@/lib/db/client";
import { applyPending } from "@/lib/points-config/apply-pending";

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
