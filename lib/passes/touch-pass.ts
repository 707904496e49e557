import type { Db, Tx } from "@/lib/db/client";
import { Prisma } from "@/lib/db/generated/client";

/** The jobs (task, payload, key) that notify the devices and Google objects of the passes in `touched`. */
const NOTIFICATION_JOBS = Prisma.sql`
  select 'push_pass' as task, json_build_object('pushToken', r.push_token) as payload,
    'push_pass:' || r.push_token as key
  from (select distinct push_token from pass_registrations join touched using (serial)) r
  union all
  select 'update_google_pass', json_build_object('customerId', customer_id), 'google:' || customer_id
  from touched where google_saved`;

/**
 * Queues the rows (task, payload, key) of `jobs` with a higher priority than jobs for movements. Answers the number of
 * passes in `touched`.
 */
async function queueNotifications(tx: Db | Tx, touched: Prisma.Sql, jobs: Prisma.Sql): Promise<number> {
  const [row] = await tx.$queryRaw<{ touched: number }[]>`
    with touched as (${touched}), jobs as (${jobs}), queued as (
      select graphile_worker.add_jobs(array_agg(
        (task, payload, null, null, null, key, -10, null)::graphile_worker.job_spec
      )) from jobs having count(*) > 0
    )
    select (select count(*)::int from touched) as touched, (select count(*)::int from queued) as queued`;
  return row?.touched ?? 0;
}

/**
 * Marks the passes that meet a condition (on a pass p and its customer c) as changed. The new time is at least a second
 * after the old one, because If-Modified-Since has whole seconds. It has milliseconds, like the tag of Apple's list of
 * changes, so that a pass that changes within the second of an answer is not missed. Rows are locked in order, because
 * sets of customers overlap.
 */
function markChanged(where: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    update passes set changed_at = greatest(date_trunc('milliseconds', now()), changed_at + interval '1 second')
    where serial = any(array(
      select p.serial from passes p join customers c on c.id = p.customer_id
      where p.voided_at is null and ${where} order by p.serial for no key update of p))
    returning serial, customer_id, google_saved`;
}

/**
 * Marks the passes of a merchant's customers (null: all passes) as changed and queues the notifications of their
 * devices and Google objects. Answers how many passes changed.
 */
export async function touchPassesOfMerchant(db: Db, merchantId: string | null): Promise<number> {
  const all = merchantId === null;
  const where = all ? Prisma.sql`true` : Prisma.sql`c.merchant_id = ${merchantId}::uuid`;
  const ofClass = Prisma.sql`
    union all
    select 'update_google_class', json_build_object('merchantId', ${merchantId}::text),
      'google_class:' || ${merchantId}::text
    where exists (select 1 from touched where google_saved)`;
  return queueNotifications(
    db,
    markChanged(where),
    Prisma.sql`${NOTIFICATION_JOBS} ${all ? Prisma.empty : ofClass}`,
  );
}

/** Queues the notifications of a customer's pass without changing it. Does nothing without a pass. */
export async function queuePassPushes(db: Db, customerId: string): Promise<void> {
  const pass = Prisma.sql`
    select serial, customer_id, google_saved from passes where customer_id = ${customerId}::uuid`;
  await queueNotifications(db, pass, NOTIFICATION_JOBS);
}

/**
 * Marks the customers' passes as changed and queues the notifications of their devices and Google objects, in one
 * statement. Skips customers without a pass or with a void one.
 */
export async function touchPassesOfCustomers(tx: Db | Tx, customerIds: string[]): Promise<void> {
  await queueNotifications(
    tx,
    markChanged(Prisma.sql`c.id = any(${customerIds}::uuid[])`),
    NOTIFICATION_JOBS,
  );
}
