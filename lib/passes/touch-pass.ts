import type { Db } from "@/lib/db/client";
import { addJob } from "@/lib/jobs";

/**
 * Marks a customer's pass as changed and queues a push for each device that holds it, and the update of the Google
 * object, in one transaction. A customer without a pass is nothing to do.
 */
export async function touchPass(db: Db, customerId: string): Promise<void> {
  await db.$transaction(async (tx) => {
    // Always later than before by a whole second: two changes within one second are two versions for If-Modified-Since.
    const [pass] = await tx.$queryRaw<{ serial: string; google: boolean }[]>`
      update passes set changed_at = greatest(date_trunc('second', now()), changed_at + interval '1 second')
      where customer_id = ${customerId}::uuid and voided_at is null
      returning serial::text, google_saved as google`;
    if (!pass) return;
    const devices = await tx.passRegistration.findMany({
      where: { serial: pass.serial },
      select: { deviceId: true, pushToken: true },
      distinct: ["pushToken"],
    });
    for (const { pushToken } of devices) {
      await addJob(tx, "push_pass", { pushToken }, { key: `push_pass:${pushToken}` });
    }
    if (pass.google) await addJob(tx, "update_google_pass", { customerId }, { key: `google:${customerId}` });
  });
}
