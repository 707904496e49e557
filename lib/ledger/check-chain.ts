import { createHash } from "node:crypto";
import type { Tx } from "@/lib/db/client";
import type { Seal } from "@/lib/db/generated/client";
import { type ConfigHeads, FIRST_HEAD } from "./check-configs";
import type { Wrong } from "./model/ledger-check";

type Block = { n: number; movements: bigint; digest: Uint8Array };

const SEALS_A_PAGE = 2_000;
const BLOCKS_A_PAGE = 5_000;

function integer(value: number | bigint, bytes: 4 | 8): Buffer {
  const buffer = Buffer.alloc(bytes);
  if (bytes === 4) buffer.writeInt32BE(Number(value));
  else buffer.writeBigInt64BE(BigInt(value));
  return buffer;
}

/**
 * Answers the heads of the configuration that a seal covers. A seal older than the configuration's chains
 * covers none.
 */
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
export async function checkChain(
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
export async function checkUnsealed(tx: Tx, merchantId: string, last: Seal | null): Promise<Wrong | null> {
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    select id::text as id from movements where merchant_id = ${merchantId}::uuid and tx >= ${last?.toTx ?? 0n}
      and tx < (select to_tx from ledger_progress where what = 'seals') order by tx, customer_id, seq limit 1`;
  return row ? { what: "unsealed", movementId: row.id } : null;
}
