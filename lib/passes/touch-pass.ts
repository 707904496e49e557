import type { Db, Tx } from "@/lib/db/client";
import { addJob } from "@/lib/jobs/add-job";

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

/**
 * Marks the passes of a merchant's customers (null: of everyone's) as changed and tells whoever holds them, as
 * touchPass does for one. Answers how many passes changed.
 */
export async function touchPasses(db: Db, merchantId: string | null): Promise<number> {
  const [row] = await db.$queryRaw<{ touched: number }[]>`
    with touched as (
      update passes p set changed_at = greatest(date_trunc('milliseconds', now()), changed_at + interval '1 second')
      from customers c
      where c.id = p.customer_id and p.voided_at is null
        and (${merchantId}::uuid is null or c.merchant_id = ${merchantId}::uuid)
      returning p.serial, p.customer_id, p.google_saved
    ), news as (
      select 'push_pass' as task, json_build_object('pushToken', r.push_token) as payload,
        'push_pass:' || r.push_token as key
      from (select distinct push_token from pass_registrations join touched using (serial)) r
      union all
      select 'update_google_pass', json_build_object('customerId', customer_id), 'google:' || customer_id
      from touched where google_saved
      union all
      select 'update_google_class', json_build_object('merchantId', ${merchantId}::text),
        'google_class:' || ${merchantId}::text
      where ${merchantId}::uuid is not null and exists (select 1 from touched where google_saved)
    ), queued as (
      select graphile_worker.add_jobs(array_agg(
        (task, payload, null, null, null, key, null, null)::graphile_worker.job_spec
      )) from news having count(*) > 0
    )
    select (select count(*)::int from touched) as touched, (select count(*)::int from queued) as queued`;
  return row?.touched ?? 0;
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
    // Later than before by a whole second, the grain of If-Modified-Since; in itself as exact as the tag of the list of
    // changes, or a second pass that changes within the second of an answer would be missed.
    const touched = await tx.$executeRaw`
      update passes set changed_at = greatest(date_trunc('milliseconds', now()), changed_at + interval '1 second')
      where customer_id = ${customerId}::uuid and voided_at is null`;
    if (touched > 0) await queueNews(tx, customerId);
  });
}
