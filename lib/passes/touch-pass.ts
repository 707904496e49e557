import type { Db, Tx } from "@/lib/db/client";
import { addJob } from "@/lib/jobs";

/** Queues a push for each device that holds a customer's pass, and the update of the Google object. */
async function queueNews(tx: Tx, customerId: string): Promise<void> {
  const pass = await tx.pass.findUnique({
    where: { customerId },
    select: {
      googleSaved: true,
      registrations: { select: { pushToken: true }, distinct: ["pushToken"] },
    },
  });
  for (const { pushToken } of pass?.registrations ?? []) {
    await addJob(tx, "push_pass", { pushToken }, { key: `push_pass:${pushToken}` });
  }
  if (pass?.googleSaved) {
    await addJob(tx, "update_google_pass", { customerId }, { key: `google:${customerId}` });
  }
}

/** Tells whoever holds a customer's pass that it changed. A customer without a pass is nothing to do. */
export async function announcePass(db: Db, customerId: string): Promise<void> {
  await db.$transaction((tx) => queueNews(tx, customerId));
}

/**
 * Marks a customer's pass as changed and tells whoever holds it, in one transaction. A customer without a pass, or
 * with a void one, is nothing to do.
 */
export async function touchPass(db: Db, customerId: string): Promise<void> {
  await db.$transaction(async (tx) => {
    // Always later than before by a whole second: two changes within one second are two versions for If-Modified-Since.
    const touched = await tx.$executeRaw`
      update passes set changed_at = greatest(date_trunc('second', now()), changed_at + interval '1 second')
      where customer_id = ${customerId}::uuid and voided_at is null`;
    if (touched > 0) await queueNews(tx, customerId);
  });
}
