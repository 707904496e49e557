import pg from "pg";
import { objectOf, type SqlText, textsIn } from "@/lib/db/sql-files";
import { isBusy, reasonOf, statementsOf } from "./apply-migration";
import { USUAL_LOCK } from "./posting-gate";

/**
 * All hashes ever: servers of yesterday find theirs in a rolling upgrade. The newest of a name is in force.
 * `objects`: the functions, the view or the triggers that the text made.
 */
const TABLES = `
  create table if not exists public.sql_texts (
    name text not null, hash text not null, objects text[] not null,
    applied_at timestamptz not null default clock_timestamp(), primary key (name, hash));
  create table if not exists public.ledger_settings (
    single boolean primary key default true check (single), tx_base bigint not null check (tx_base >= 0));
  do $$
  declare
    base bigint := 0;
  begin
    if exists (select from public.ledger_settings) then return; end if;
    if to_regprocedure('public.posting_tx_base()') is not null then
      execute 'select coalesce(public.posting_tx_base(), 0)' into base;
    end if;
    insert into public.ledger_settings (tx_base) values (base);
  end $$`;

/** Makes the table of texts, and moves the base of the ledger's sequence into its own table. */
export const prepareTexts = (client: pg.Client): Promise<unknown> => client.query(TABLES);

type Applied = { name: string; hash: string; objects: string[] };

async function appliedTexts(client: pg.Client): Promise<Map<string, Applied>> {
  const { rows: there } = await client.query("select to_regclass('public.sql_texts') is not null as there");
  if (!there[0]?.there) return new Map();
  const { rows } = await client.query<Applied>(
    "select distinct on (name) name, hash, objects from public.sql_texts order by name, applied_at desc",
  );
  return new Map(rows.map((row) => [row.name, row]));
}

/** Every function, view and trigger of the schema, named as in `objects`. */
async function existingObjects(client: pg.Client): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(`
    select oid::regprocedure::text as name from pg_proc where pronamespace = 'public'::regnamespace
    union all select oid::regclass::text from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'v'
    union all select format('%s on %s', tgname, tgrelid::regclass) from pg_trigger t
      join pg_class c on c.oid = t.tgrelid where c.relnamespace = 'public'::regnamespace and not tgisinternal`);
  return new Set(rows.map(({ name }) => name));
}

/** The texts that the database lacks: never applied, applied with another hash, or with an object that is gone. */
export async function missingTexts(client: pg.Client, folder: string): Promise<SqlText[]> {
  const [applied, existing] = [await appliedTexts(client), await existingObjects(client)];
  return textsIn(folder).filter(({ name, hash }) => {
    const last = applied.get(name);
    return last?.hash !== hash || last.objects.some((object) => !existing.has(object));
  });
}

/** The texts that were applied once, have no file any more, and still have objects. */
export async function formerTexts(client: pg.Client, folder: string): Promise<Applied[]> {
  const present = new Set(textsIn(folder).map(({ name }) => name));
  return [...(await appliedTexts(client)).values()].filter(
    ({ name, objects }) => objects.length > 0 && !present.has(name),
  );
}

/** The name after `create or replace KIND`. A text must bear a repeat, and its file must be named after it. */
function nameIn(text: SqlText, statement: string, kind: string): string {
  const name = new RegExp(`^create\\s+or\\s+replace\\s+${kind}\\s+"?(\\w+)"?`, "i").exec(statement)?.[1];
  if (!name) throw new Error(`must be CREATE OR REPLACE ${kind.toUpperCase()}`);
  if (kind !== "trigger" && name !== objectOf(text)) throw new Error(`makes ${name}, and is named otherwise`);
  return name;
}

function onlyStatement(text: SqlText): string {
  const [statement = "", ...others] = statementsOf(text.sql);
  if (others.length > 0) throw new Error(`holds more than one ${text.kind}`);
  return statement;
}

async function applyFunction(client: pg.Client, text: SqlText): Promise<string[]> {
  const name = nameIn(text, onlyStatement(text), "function");
  const versions = () =>
    client.query<{ signature: string; version: string }>(
      `select oid::regprocedure::text as signature, ctid::text as version from pg_proc
       where proname = $1 and pronamespace = 'public'::regnamespace`,
      [name],
    );
  const before = new Map((await versions()).rows.map(({ signature, version }) => [signature, version]));
  await client.query(text.sql);
  const made = (await versions()).rows.find(({ signature, version }) => before.get(signature) !== version);
  if (made && text.isPrevious) await dropReplaced(client, made.signature);
  return made ? [made.signature] : [];
}

/** Two functions that fit the same call would refuse it: a function of previous takes the place of the shorter one. */
async function dropReplaced(client: pg.Client, signature: string): Promise<void> {
  const { rows } = await client.query<{ shorter: string }>(
    `select o.oid::regprocedure::text as shorter from pg_proc o
     join pg_proc m on m.oid = $1::regprocedure and m.proname = o.proname and m.pronamespace = o.pronamespace
     where o.pronargs between m.pronargs - m.pronargdefaults and m.pronargs - 1
       and (o.pronargs = 0 or starts_with(m.proargtypes::text || ' ', o.proargtypes::text || ' '))`,
    [signature],
  );
  for (const { shorter } of rows) await client.query(`drop function ${shorter}`);
}

const INVALID_TABLE_DEFINITION = "42P16";

/** Replacing a view waits for everybody who reads it, so a view that is as its text says stays. */
async function applyView(client: pg.Client, text: SqlText): Promise<string[]> {
  const statement = onlyStatement(text);
  const name = nameIn(text, statement, "view");
  const definition = async (view: string) =>
    (await client.query("select pg_get_viewdef(to_regclass($1)) as text", [view])).rows[0]?.text;
  const there = await definition(`public.${name}`);
  if (there) {
    await client.query(statement.replace(/^create\s+or\s+replace/i, "create or replace temporary"));
    const same = (await definition(`pg_temp.${name}`)) === there;
    await client.query(`drop view pg_temp.${name}`);
    if (same) return [name];
  }
  await client.query("savepoint view");
  try {
    await client.query(text.sql);
  } catch (error) {
    // A replacement may only add columns at the end.
    if (!(error instanceof pg.DatabaseError && error.code === INVALID_TABLE_DEFINITION)) throw error;
    await client.query(`rollback to view; drop view public.${name}`);
    await client.query(text.sql);
  }
  return [name];
}

const plain = (definition: string) => definition.replace(/\s+/g, " ").replace(/ OR REPLACE/i, "");

/** Replacing a trigger keeps writers out, so a trigger that is as its text says stays. */
async function applyTriggers(client: pg.Client, text: SqlText, last: string[]): Promise<string[]> {
  const table = objectOf(text);
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select tgname as name, pg_get_triggerdef(oid, true) as definition from pg_trigger
     where tgrelid = to_regclass($1) and not tgisinternal`,
    [`public.${table}`],
  );
  const existing = new Map(rows.map(({ name, definition }) => [name, definition]));
  const objects: string[] = [];
  for (const statement of statementsOf(text.sql)) {
    const name = nameIn(text, statement, "trigger");
    objects.push(`${name} on ${table}`);
    if (plain(existing.get(name) ?? "") !== plain(statement)) await client.query(statement);
  }
  for (const object of last) {
    if (!objects.includes(object)) await client.query(`drop trigger if exists ${object}`);
  }
  return objects;
}

/** A text that needs what another text makes: undefined function, table, column or type. */
const WAITS = ["42883", "42P01", "42703", "42704"];

async function applyText(client: pg.Client, text: SqlText, last: string[]): Promise<void> {
  const apply = { function: applyFunction, view: applyView, triggers: applyTriggers }[text.kind];
  const objects = await apply(client, text, last);
  await client.query(
    `insert into public.sql_texts (name, hash, objects) values ($1, $2, $3)
     on conflict (name, hash) do update set objects = excluded.objects, applied_at = clock_timestamp()`,
    [text.name, text.hash, objects],
  );
}

/** Applies texts in the caller's transaction, one after those that it needs. Throws with file and reason. */
export async function applyTexts(client: pg.Client, texts: SqlText[]): Promise<void> {
  const applied = await appliedTexts(client);
  let waiting = texts;
  while (waiting.length > 0) {
    const later: SqlText[] = [];
    let reason: unknown;
    for (const text of waiting) {
      await client.query("savepoint sql_text");
      try {
        await applyText(client, text, applied.get(text.name)?.objects ?? []);
        await client.query("release sql_text");
      } catch (error) {
        const waits = error instanceof pg.DatabaseError && WAITS.includes(error.code ?? "");
        if (!waits) throw failed(text, error);
        await client.query("rollback to sql_text");
        reason ??= failed(text, error);
        later.push(text);
      }
    }
    if (later.length === waiting.length) throw reason;
    waiting = later;
  }
}

function failed(text: SqlText, error: unknown): unknown {
  if (isBusy(error) || !(error instanceof Error)) return error;
  return new Error(`prisma/${text.name}.sql: ${reasonOf(error)}`, { cause: error });
}

/** Drops what former texts made and no present text makes. Triggers first: they hold their functions. */
export async function dropFormerTexts(client: pg.Client, folder: string): Promise<void> {
  const former = await formerTexts(client, folder);
  const present = new Set(
    [...(await appliedTexts(client)).values()]
      .filter(({ name }) => !former.some((text) => text.name === name))
      .flatMap(({ objects }) => objects),
  );
  for (const kind of ["trigger", "view", "function"]) {
    for (const { name, objects } of former.filter((text) => text.name.startsWith(`${kind}s/`))) {
      for (const object of objects.filter((one) => !present.has(one)))
        await client.query(`drop ${kind} if exists ${object}`);
      await client.query("update public.sql_texts set objects = '{}' where name = $1", [name]);
    }
  }
}

/** Makes posting_lock if it is missing, as in a new database. */
export async function ensurePostingLock(client: pg.Client): Promise<void> {
  const { rows } = await client.query("select to_regprocedure('posting_lock()') is null as missing");
  if (rows[0]?.missing) await client.query(USUAL_LOCK);
}
