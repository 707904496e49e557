import type { Db, Tx } from "@/lib/db/client";
import { Prisma } from "@/lib/db/generated/client";

/** The names of the queue's tasks, each with what it gets, that tell the holders of the passes in `touched`. */
const NEWS = Prisma.sql`
  select 'push_pass' as task, json_build_object('pushToken', r.push_token) as payload,
    'push_pass:' || r.push_token as key
  from (select distinct push_token from pass_registrations join touched using (serial)) r
  union all
  select 'update_google_pass', json_build_object('customerId', customer_id), 'google:' || customer_id
  from touched where google_saved`;

/** Queues what the rows (task, payload, key) of `news` say, before what follows a movement. Answers how many were in `touched`. */
async function queueNews(tx: Db | Tx, touched: Prisma.Sql, news: Prisma.Sql): Promise<number> {
  const [row] = await tx.$queryRaw<{ touched: number }[]>`
    with touched as (${touched}), news as (${news}), queued as (
      select graphile_worker.add_jobs(array_agg(
        (task, payload, null, null, null, key, -10, null)::graphile_worker.job_spec
      )) from news having count(*) > 0
    )
    select (select count(*)::int from touched) as touched, (select count(*)::int from queued) as queued`;
  return row?.touched ?? 0;
}

/**
 * The passes with this condition (on a pass p and its customer c), marked as changed: later than before by a whole
 * second, the grain of If-Modified-Since; in itself as exact as the tag of the list of changes, or a second pass that
 * changes within the second of an answer would be missed. Locked in order, since sets of customers overlap.
 */
function changed(where: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    update passes set changed_at = greatest(date_trunc('milliseconds', now()), changed_at + interval '1 second')
    where serial = any(array(
      select p.serial from passes p join customers c on c.id = p.customer_id
      where p.voided_at is null and ${where} order by p.serial for no key update of p))
    returning serial, customer_id, google_saved`;
}

/**
 * Marks the passes of a merchant's customers (null: of everyone's) as changed and tells whoever holds them, as
 * touchPassesOf does. Answers how many passes changed.
 */
export async function touchPasses(db: Db, merchantId: string | null): Promise<number> {
  const all = merchantId === null;
  const where = all ? Prisma.sql`true` : Prisma.sql`c.merchant_id = ${merchantId}::uuid`;
  const ofClass = Prisma.sql`
    union all
    select 'update_google_class', json_build_object('merchantId', ${merchantId}::text),
      'google_class:' || ${merchantId}::text
    where exists (select 1 from touched where google_saved)`;
  return queueNews(db, changed(where), Prisma.sql`${NEWS} ${all ? Prisma.empty : ofClass}`);
}

/** Tells whoever holds a customer's pass that it changed. A customer without a pass is nothing to do. */
export async function announcePass(db: Db, customerId: string): Promise<void> {
  const pass = Prisma.sql`
    select serial, customer_id, google_saved from passes where customer_id = ${customerId}::uuid`;
  await queueNews(db, pass, NEWS);
}

/**
 * Marks the customers' passes as changed and tells whoever holds them, in one statement. A customer without a pass, or
 * with a void one, is nothing to do.
 */
export async function touchPassesOf(tx: Db | Tx, customerIds: string[]): Promise<void> {
  await queueNews(tx, changed(Prisma.sql`c.id = any(${customerIds}::uuid[])`), NEWS);
}
