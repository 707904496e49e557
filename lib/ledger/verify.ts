import { createHash } from "node:crypto";
import { integer } from "@/lib/audit/check-audits";
import type { Db, Tx } from "@/lib/db/client";
import { Prisma, type Seal } from "@/lib/db/generated/client";
import { checkCustomers } from "./check-customers";
import type { Wrong } from "./model/ledger-check";

export type Verdict = {
  movements: number;
  firstWrong: Wrong | null;
  sealedTo: Date | null;
  head: Uint8Array<ArrayBuffer> | null;
};

/** Called as movements are checked: how many, of how many there were at the start. */
export type Progress = (movements: number, total: number) => Promise<void> | void;

const CUSTOMERS_A_STEP = 2_000;
/** As long as the largest merchant takes. */
const PATIENCE = { maxWait: 60_000, timeout: 6 * 3_600_000 };

async function checkAll(tx: Tx, merchantId: string, total: number, progress: Progress) {
  let movements = 0;
  await tx.$executeRaw`select set_config('wallet.checked_merchant', ${merchantId}, true)`;
  await tx.$executeRaw`
    declare ledger_customers no scroll cursor for select id::text as id, movement_count as movements from customers
    where merchant_id = current_setting('wallet.checked_merchant')::uuid`;
  for (;;) {
    const rows = await tx.$queryRawUnsafe<{ id: string; movements: number }[]>(
      `fetch ${CUSTOMERS_A_STEP} from ledger_customers`,
    );
    const ids = rows.map(({ id }) => id);
    const wrong = await checkCustomers(tx, merchantId, ids);
    if (wrong) return { movements, wrong };
    for (const row of rows) movements += row.movements;
    await progress(Math.min(movements, total), total);
    if (rows.length < CUSTOMERS_A_STEP) break;
  }
  await tx.$executeRaw`close ledger_customers`;
  // A movement of this merchant that no customer of it has.
  if (movements === total) return { movements, wrong: null };
  const [stray] = await tx.$queryRaw<{ id: string }[]>`
    select m.id::text as id from movements m where m.merchant_id = ${merchantId}::uuid and not exists (
      select from customers c where c.id = m.customer_id and c.merchant_id = m.merchant_id) limit 1`;
  const wrong: Wrong = { what: "customer", ...(stray ? { movementId: stray.id } : {}) };
  return { movements, wrong };
}

/** The first day or movement that disagrees with the sums of days, the used keys, their days, or the days of customers. */
async function checkSums(tx: Tx, merchantId: string): Promise<Wrong | null> {
  const checks = [
    Prisma.sql`
    select 'sums' as what, day::text as day from wrong_sums(${merchantId}::uuid) order by day limit 1`,
    Prisma.sql`
    select 'key' as what, m.id::text as "movementId" from api_keys k join movements m on m.api_key_id = k.id
    where k.merchant_id = ${merchantId}::uuid and not exists (
      select from used_keys u where u.api_key_id = m.api_key_id and u.idempotency_key = m.idempotency_key
        and u.movement_id = m.id and u.request_hash = m.request_hash)
    order by m.id limit 1`,
    Prisma.sql`
    select 'sums' as what, d.day::text as day from api_keys k join api_key_days d on d.api_key_id = k.id
    where k.merchant_id = ${merchantId}::uuid and d.added <> coalesce((
      select sum(m.points) from movements m
      where m.api_key_id = d.api_key_id and m.type in ('TOP_UP', 'BONUS')
        and m.created_at >= d.day::timestamp at time zone 'Asia/Qatar'
        and m.created_at < (d.day + 1)::timestamp at time zone 'Asia/Qatar'
        and not exists (select from movements v where v.reverses_id = m.id)), 0)
    order by d.day limit 1`,
    Prisma.sql`
    with last as materialized (
      select * from merchant_days where merchant_id = ${merchantId}::uuid order by day desc limit 1
    )
    select 'sums' as what, day::text as day from last where customers <> (
      select count(*) from customers c where c.merchant_id = last.merchant_id
        and c.registered_at < (last.day + 1)::timestamp at time zone 'Asia/Qatar'
    )`,
  ];
  for (const check of checks) {
    const [wrong] = await tx.$queryRaw<Wrong[]>(check);
    if (wrong) return wrong;
  }
  return null;
}

/** Checks the chains on a second connection in the same snapshot: they take as long as all the rest. */
function chainOf(db: Db, merchantId: string, snapshot: string) {
  return db.$transaction(
    async (tx) => {
      // The name of a snapshot, which Postgres made up, cannot be a parameter.
      await tx.$executeRawUnsafe(`set transaction snapshot '${snapshot.replace(/[^\w-]/g, "")}'`);
      await tx.$executeRaw`set local work_mem = '48MB'`;
      const { wrong: config, heads } = await checkConfigs(tx, merchantId);
      const chain = await checkChain(tx, merchantId, heads);
      return {
        ...chain,
        config,
        unsealed: chain.wrong ? null : await checkUnsealed(tx, merchantId, chain.last),
      };
    },
    { ...PATIENCE, isolationLevel: "RepeatableRead" },
  );
}

/**
 * Recomputes a merchant's ledger in one snapshot, while postings go on: every running balance, pocket and lot, each
 * reversal and refund with its original, the chain, the versions of the configuration, the keys and sums of API keys, the
 * sums of the days. Names the first row that is wrong. Holds some thousand rows at most in memory; needs two connections.
 */
export async function verifyMerchant(
  db: Db,
  merchantId: string,
  progress: Progress = () => {},
): Promise<Verdict> {
  return db.$transaction(
    async (tx) => {
      await tx.$executeRaw`set transaction read only`;
      await tx.$executeRaw`set local work_mem = '48MB'`;
      const [exported] = await tx.$queryRaw<{ snapshot: string }[]>`select pg_export_snapshot() as snapshot`;
      const total = await tx.movement.count({ where: { merchantId } });
      await progress(0, total);
      const [chain, all] = await Promise.all([
        chainOf(db, merchantId, exported?.snapshot ?? ""),
        checkAll(tx, merchantId, total, progress).then(async (all) => ({
          ...all,
          sums: all.wrong ? null : await checkSums(tx, merchantId),
        })),
      ]);
      // The chain names the very row that is not as it was sealed.
      const named = chain.wrong?.movementId ? chain.wrong : null;
      const firstWrong = named ?? chain.config ?? all.wrong ?? chain.wrong ?? chain.unsealed ?? all.sums;
      return {
        movements: all.movements,
        firstWrong,
        sealedTo: chain.last?.sealedAt ?? null,
        head: chain.last?.head ?? null,
      };
    },
    { ...PATIENCE, isolationLevel: "RepeatableRead" },
  );
}

type ConfigHeads = Record<"own" | "platform", ReadonlyMap<number, Uint8Array>>;

type ConfigRow = {
  id: string;
  own: boolean;
  version: number;
  sealed: boolean;
  head: Uint8Array | null;
  digest: Uint8Array | null;
};

const FIRST_HEAD: Uint8Array = Buffer.alloc(32);

/** The first version of the merchant's or the platform's configuration that was changed, and the heads that seals cover. */
async function checkConfigs(
  tx: Tx,
  merchantId: string,
): Promise<{ wrong: Wrong | null; heads: ConfigHeads }> {
  const rows = await tx.$queryRaw<ConfigRow[]>`
    select coalesce(s.config_id, v.id)::text as id, coalesce(s.merchant_id, v.merchant_id) is not null as own,
      coalesce(s.version, v.version) as version, s.head, v.digest,
      coalesce(s.version = v.version and s.merchant_id is not distinct from v.merchant_id, false) as sealed
    from (select * from config_seals where merchant_id = ${merchantId}::uuid or merchant_id is null) s
    full join (select * from sealed_configs where merchant_id = ${merchantId}::uuid or merchant_id is null) v
      on v.id = s.config_id
    order by own, version`;
  const heads = { own: new Map<number, Uint8Array>(), platform: new Map<number, Uint8Array>() };
  const last = { own: FIRST_HEAD, platform: FIRST_HEAD };
  let wrong: Wrong | null = null;
  for (const row of rows) {
    const chain = row.own ? "own" : "platform";
    const { head, digest, sealed } = row;
    const expected = createHash("sha256")
      .update(last[chain])
      .update(digest ?? "")
      .digest();
    if (!sealed || !head || !expected.equals(head)) {
      wrong ??= { what: "config", configId: row.id, version: row.version };
    }
    last[chain] = head ?? expected;
    heads[chain].set(row.version, last[chain]);
  }
  return { wrong, heads };
}

type Block = { n: number; movements: bigint; digest: Uint8Array };

const SEALS_A_PAGE = 2_000;
const BLOCKS_A_PAGE = 5_000;

/** The heads of the configuration that a seal covers; none for a seal older than the configuration's chains. */
function configsOf({ configVersion, platformVersion }: Seal, heads: ConfigHeads): Uint8Array[] {
  if (configVersion === null || platformVersion === null) return [];
  return [heads.own.get(configVersion) ?? FIRST_HEAD, heads.platform.get(platformVersion) ?? FIRST_HEAD];
}

/** A seal's head, as seal_movements made it. */
function headOf(previous: Uint8Array, seal: Seal, movements: number, parts: Uint8Array[]): Buffer {
  const hash = createHash("sha256");
  hash.update(previous).update(Buffer.from(seal.merchantId.replaceAll("-", ""), "hex"));
  hash.update(integer(seal.n, 4)).update(integer(seal.fromTx, 8)).update(integer(seal.toTx, 8));
  hash.update(integer(movements, 4));
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** The digests of the merchant's movements in blocks of 1,000 a seal, in order, a page at a time. */
async function* blocksOf(tx: Tx, merchantId: string): AsyncGenerator<Block> {
  // A cursor takes no parameters of a prepared statement; the id has been parsed as one.
  await tx.$executeRaw`select set_config('wallet.checked_merchant', ${merchantId}, true)`;
  await tx.$executeRaw`
    declare ledger_blocks no scroll cursor for
    with starts as materialized (
      select array_agg(from_tx order by n) as at, max(to_tx) as ended from seals
      where merchant_id = current_setting('wallet.checked_merchant')::uuid
    ), digests as materialized (
      select width_bucket(v.tx, s.at) as n, v.tx, v.customer_id, v.seq, v.digest
      -- A sum, so that the plan leaves the index on tx alone: it would read the pages of all merchants.
      from starts s join sealed_movements v on v.tx + 0 < s.ended
      where v.merchant_id = current_setting('wallet.checked_merchant')::uuid
    ), numbered as (
      select n, digest, row_number() over (partition by n order by tx, customer_id, seq) as place from digests
    )
    select n, count(*) as movements, sha256(string_agg(digest, ''::bytea order by place)) as digest
    from numbered group by n, (place - 1) / 1000 order by n, (place - 1) / 1000`;
  for (;;) {
    const rows = await tx.$queryRawUnsafe<Block[]>(`fetch ${BLOCKS_A_PAGE} from ledger_blocks`);
    yield* rows;
    if (rows.length < BLOCKS_A_PAGE) break;
  }
  await tx.$executeRaw`close ledger_blocks`;
}

async function* sealsOf(tx: Tx, merchantId: string): AsyncGenerator<Seal> {
  for (let after = 0; ; ) {
    const rows = await tx.seal.findMany({
      where: { merchantId, n: { gt: after } },
      orderBy: { n: "asc" },
      take: SEALS_A_PAGE,
      // Only asked for where a head does not agree.
      omit: { marks: true },
    });
    for (const row of rows) yield { ...row, marks: new Uint8Array() };
    if (rows.length < SEALS_A_PAGE) return;
    after = rows.at(-1)?.n ?? after;
  }
}

/** The first movement of a seal that is not the one that was sealed in its place; none where only the seal was changed. */
async function changedIn(tx: Tx, { merchantId, n, fromTx, toTx }: Seal): Promise<string | undefined> {
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    with now as (
      select id, substring(digest from 1 for 4) as mark, row_number() over (order by tx, customer_id, seq) as place
      from sealed_movements
      where merchant_id = ${merchantId}::uuid and tx >= ${fromTx} and tx < ${toTx}
    )
    select now.id::text as id from now
    join seals s on s.merchant_id = ${merchantId}::uuid and s.n = ${n}
    where now.mark <> substring(s.marks from (4 * (now.place - 1) + 1)::int for 4)
    order by now.place limit 1`;
  return row?.id;
}

/** Checks the whole chain. Answers the first movement that does not match its seal, and the last seal. */
async function checkChain(
  tx: Tx,
  merchantId: string,
  configs: ConfigHeads,
): Promise<{ wrong: Wrong | null; last: Seal | null }> {
  const blocks = blocksOf(tx, merchantId);
  let block = (await blocks.next()).value as Block | undefined;
  let head = FIRST_HEAD;
  let last: Seal | null = null;
  let total = 0n;
  for await (const seal of sealsOf(tx, merchantId)) {
    const own: Uint8Array[] = [];
    let movements = 0;
    for (; block?.n === seal.n; block = (await blocks.next()).value as Block | undefined) {
      own.push(block.digest);
      movements += Number(block.movements);
    }
    total += BigInt(movements);
    const follows =
      seal.n === (last?.n ?? 0) + 1 && seal.fromTx === (last?.toTx ?? 0n) && seal.total === total;
    head = headOf(head, seal, movements, [...own, ...configsOf(seal, configs)]);
    if (!follows || movements !== seal.movements || !Buffer.from(seal.head).equals(head)) {
      const movementId = await changedIn(tx, seal);
      return { wrong: { what: "chain", ...(movementId ? { movementId } : {}) }, last: seal };
    }
    last = seal;
  }
  return { wrong: null, last };
}

/** The first movement that should have been sealed long ago, or null. */
async function checkUnsealed(tx: Tx, merchantId: string, last: Seal | null): Promise<Wrong | null> {
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    select id::text as id from movements where merchant_id = ${merchantId}::uuid and tx >= ${last?.toTx ?? 0n}
      and tx < (select to_tx from ledger_progress where what = 'seals') order by tx, customer_id, seq limit 1`;
  return row ? { what: "unsealed", movementId: row.id } : null;
}
