import type { Tx } from "@/lib/db/client";

/**
 * The tables that a large load fills. It makes their indexes and foreign keys at its end, which is faster
 * than row by row.
 */
const LOADED = ["customers", "movements", "movement_texts", "lots", "lot_moves", "card_emails"];

/** Settings while it runs: memory for sorts and indexes, and no wait for the disk that a power cut would make up for. */
const SETTINGS = [
  ["work_mem", "128MB"],
  ["maintenance_work_mem", "512MB"],
  ["synchronous_commit", "off"],
  ["jit", "off"],
] as const;

/** Statements that make again what was dropped. */
type Dropped = string[];

async function dropForeignKeys(tx: Tx): Promise<Dropped> {
  const keys = await tx.$queryRaw<{ on: string; name: string; definition: string }[]>`
    select conrelid::regclass::text as on, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and conrelid = any (${LOADED}::regclass[]) order by conname`;
  for (const key of keys) await tx.$executeRawUnsafe(`alter table ${key.on} drop constraint ${key.name}`);
  return keys.map((key) => `alter table ${key.on} add constraint ${key.name} ${key.definition}`);
}

/** The indexes that no constraint needs. */
async function dropIndexes(tx: Tx): Promise<Dropped> {
  const indexes = await tx.$queryRaw<{ name: string; definition: string }[]>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid = any (${LOADED}::regclass[])
      and not exists (select from pg_constraint where conindid = indexrelid)
    order by indrelid, indexrelid`;
  for (const { name } of indexes) await tx.$executeRawUnsafe(`drop index ${name}`);
  return indexes.map(({ definition }) => definition);
}

/**
 * Runs a load without the indexes and foreign keys of the tables it fills. Then makes both again, which
 * checks every row. All of it is in the transaction: if you break it off, the database is as it was.
 */
export async function loadThenIndex(
  tx: Tx,
  load: () => Promise<void>,
  log: (line: string) => void,
): Promise<void> {
  for (const [name, value] of SETTINGS) await tx.$executeRaw`select set_config(${name}, ${value}, true)`;
  const keys = await dropForeignKeys(tx);
  const indexes = await dropIndexes(tx);
  await load();
  for (const statement of indexes) await tx.$executeRawUnsafe(statement);
  log(`${indexes.length} indexes made`);
  for (const statement of keys) await tx.$executeRawUnsafe(statement);
  log(`${keys.length} foreign keys checked`);
}
