import pg from "pg";

/**
 * Waits until jobs have counted and sealed what the seed made, and have given its cards their codes: a database that a shop
 * has is never without. Versions that keep no progress are not waited for.
 */
export async function untilSettled(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  const { rows: has } = await client.query<{ progress: boolean; codes: boolean }>(
    `select to_regclass('ledger_progress') is not null as progress, exists (select from information_schema.columns
       where table_name = 'customers' and column_name = 'code') as codes`,
  );
  const { rows: last } = await client.query<{ tx: string }>(
    "select coalesce(max(tx), 0)::text as tx from movements",
  );
  const isSettled = async () => {
    if (!has[0]?.progress || !has[0].codes) return true;
    const { rows } = await client.query<{ done: boolean }>(
      `select (select min(to_tx) from ledger_progress where what in ('seals', 'sums')) > $1 and not exists (select from customers where code is null) as done`,
      [last[0]?.tx],
    );
    return rows[0]?.done === true;
  };
  while (!(await isSettled())) await new Promise((next) => setTimeout(next, 1_000));
  await client.end();
}
