import { createHash } from "node:crypto";
import type { Db, Tx } from "@/lib/db/client";

/** The first violation of the audit chain: the rule, and the entry that violates it where it can be named. */
type WrongAudit = { what: "chain" | "text" | "unsealed"; auditId?: string };
export type AuditVerdict = { entries: number; wrong: WrongAudit | null; head: Uint8Array | null };

type Seal = { n: number; fromTx: bigint; toTx: bigint; entries: number; total: bigint; head: Uint8Array };
type Block = { entries: bigint; digest: Uint8Array };

const SEALS_A_PAGE = 500;
const PATIENCE = { maxWait: 60_000, timeout: 3_600_000 };

/** A number in bytes, as Postgres sends an int or a bigint. */
export function integer(value: number | bigint, bytes: 4 | 8): Buffer {
  const buffer = Buffer.alloc(bytes);
  if (bytes === 4) buffer.writeInt32BE(Number(value));
  else buffer.writeBigInt64BE(BigInt(value));
  return buffer;
}

/** A seal's head, as seal_audits made it. */
function headOf(previous: Uint8Array, seal: Seal, entries: number, blocks: Block[]): Buffer {
  const hash = createHash("sha256").update(previous).update(integer(seal.n, 4));
  hash.update(integer(seal.fromTx, 8)).update(integer(seal.toTx, 8)).update(integer(entries, 4));
  for (const { digest } of blocks) hash.update(digest);
  return hash.digest();
}

/** The digests of a seal's entries, in blocks of 1,000. */
function blocksOf(tx: Tx, { fromTx, toTx }: Seal): Promise<Block[]> {
  return tx.$queryRaw<Block[]>`
    with numbered as (
      select digest, row_number() over (order by tx, id) as place from sealed_audits where tx >= ${fromTx} and tx < ${toTx}
    )
    select count(*) as entries, sha256(string_agg(digest, ''::bytea order by place)) as digest
    from numbered group by (place - 1) / 1000 order by (place - 1) / 1000`;
}

/** The first entry of a seal that is not the one that was sealed in its place; none where only the seal was changed. */
async function changedIn(tx: Tx, { n, fromTx, toTx }: Seal): Promise<string | undefined> {
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    with now as (
      select id, substring(digest from 1 for 4) as mark, row_number() over (order by tx, id) as place
      from sealed_audits where tx >= ${fromTx} and tx < ${toTx}
    )
    select now.id::text as id from now join audit_seals s on s.n = ${n}
    where now.mark <> substring(s.marks from (4 * (now.place - 1) + 1)::int for 4)
    order by now.place limit 1`;
  return row?.id;
}

async function* sealsAfter(tx: Tx, cut: number): AsyncGenerator<Seal> {
  for (let after = cut; ; ) {
    const rows = await tx.auditSeal.findMany({
      where: { n: { gt: after } },
      orderBy: { n: "asc" },
      take: SEALS_A_PAGE,
      omit: { marks: true },
    });
    yield* rows;
    if (rows.length < SEALS_A_PAGE) return;
    after = rows.at(-1)?.n ?? after;
  }
}

async function checkChain(tx: Tx): Promise<AuditVerdict & { toTx: bigint }> {
  const cut = await tx.auditCut.findFirst({ orderBy: { n: "desc" } });
  let [n, toTx, total] = [cut?.n ?? 0, cut?.toTx ?? 0n, cut?.total ?? 0n];
  let head: Uint8Array = cut?.head ?? Buffer.alloc(32);
  let checked = 0;
  for await (const seal of sealsAfter(tx, n)) {
    const blocks = await blocksOf(tx, seal);
    const entries = blocks.reduce((sum, block) => sum + Number(block.entries), 0);
    total += BigInt(entries);
    const follows = seal.n === n + 1 && seal.fromTx === toTx && seal.total === total;
    head = headOf(head, seal, entries, blocks);
    if (!follows || entries !== seal.entries || !Buffer.from(seal.head).equals(head)) {
      const auditId = await changedIn(tx, seal);
      return { entries: checked, wrong: { what: "chain", ...(auditId ? { auditId } : {}) }, head, toTx };
    }
    checked += entries;
    [n, toTx] = [seal.n, seal.toTx];
  }
  return { entries: checked, wrong: null, head: n > 0 ? head : null, toTx };
}

/** The first entry with values beside it that are not what its hash says, or that are gone without reason: an erased customer, or the searches of exports. */
async function checkTexts(tx: Tx): Promise<WrongAudit | null> {
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    select a.id::text as id from audits a
    cross join lateral (values ('details', a.details_hash), ('place', a.place_hash)) p(part, hash)
    left join audit_texts t on t.audit_id = a.id and t.part = p.part
    where audit_text_hash(t.salt, t.content) is distinct from p.hash and not (t.audit_id is null and exists (
      select from customers c where c.status = 'erased' and (c.id = a.customer_id or (
        a.entity = 'customer' and p.part = 'details' and c.id::text = a.entity_id))))
      -- The searches of exports, which a migration erased and said so.
      and not (t.audit_id is null and p.part = 'details' and a.kind = 'export' and exists (
        select from audits k where k.kind = 'audit' and k.action = 'audit.searches_erased' and k.tx > a.tx))
    order by a.tx, a.id limit 1`;
  return row ? { what: "text", auditId: row.id } : null;
}

/** The first entry that should have been sealed long ago, or that is older than the chain's beginning. */
async function checkUnsealed(tx: Tx, sealedTo: bigint): Promise<WrongAudit | null> {
  const [row] = await tx.$queryRaw<{ id: string }[]>`
    select id::text as id from audits
    where (tx >= ${sealedTo} and tx < (select to_tx from ledger_progress where what = 'audits'))
      or tx < (select max(to_tx) from audit_cuts)
    order by tx, id limit 1`;
  return row ? { what: "unsealed", auditId: row.id } : null;
}

/** Recomputes the audit log's chain from its beginning or cut, in one snapshot. Names the first wrong entry. */
export function verifyAudits(db: Db): Promise<AuditVerdict> {
  return db.$transaction(
    async (tx) => {
      await tx.$executeRaw`set transaction read only`;
      const { toTx, ...chain } = await checkChain(tx);
      if (chain.wrong) return chain;
      return { ...chain, wrong: (await checkTexts(tx)) ?? (await checkUnsealed(tx, toTx)) };
    },
    { ...PATIENCE, isolationLevel: "RepeatableRead" },
  );
}
