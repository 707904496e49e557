import type { Db } from "@/lib/db/client";

/** Makes every bonus of a customer end an hour ago, as if time had passed: its EXPIRY is due and not posted. */
export async function endLots(db: Db, customerId: string): Promise<void> {
  await db.$transaction(async (tx) => {
    await tx.$executeRaw`set local wallet.posting = 'on'`;
    await tx.$executeRaw`update lots set ends_at = now() - interval '1 hour', granted_ends_at = now() - interval '1 hour'
      where customer_id = ${customerId}::uuid`;
  });
}
