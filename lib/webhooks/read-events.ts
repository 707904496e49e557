import type { Db, Tx } from "@/lib/db/client";
import { Prisma } from "@/lib/db/generated/client";
import { rowCount } from "@/lib/db/query";
import { targetMerchantId } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { isId } from "@/lib/domain/is-id";
import { cashValue } from "@/lib/domain/money";
import type { MovementType } from "@/lib/ledger/model/movements";
import { operation } from "@/lib/operations/operation";
import { type EventBody, type EventType, eventsSchema, type WalletEvent } from "./model";
import type { EventMovement, EventShift } from "./names";

/**
 * Every transaction below it has ended, and the statement that names it sees what they wrote: its own snapshot says so. A
 * function would take another snapshot, which may be newer than the statement's.
 */
export const HORIZON = Prisma.sql`(pg_snapshot_xmin(pg_current_snapshot())::text::bigint + posting_tx_base())`;

type MovementRow = {
  id: string;
  type: MovementType;
  points: number;
  paid: number;
  bonus: number;
  balance: number;
  bonusAfter: number;
  rate: number;
  balanceRate: number;
  tender: string | null;
  saleRef: string | null;
  occurredAt: string;
  createdAt: string;
  actorType: "user" | "api_key" | "card_holder" | "system";
  actorId: string | null;
  key: { id: string; name: string } | null;
  branch: { id: string; name: string } | null;
  tillId: string | null;
  reverses: { id: string; type: MovementType } | null;
  refundsId: string | null;
};
type ShiftRow = {
  id: string;
  number: number;
  branchId: string;
  tillId: string;
  openedAt: string;
  closedAt: string;
  difference: number;
};
type Row = {
  id: string;
  type: EventType;
  at: Date;
  tx: bigint;
  subject: string;
  iSeq: number;
  publicId: string | null;
  holdId: string | null;
  details: Record<string, unknown> | null;
  movement: MovementRow | null;
  shift: ShiftRow | null;
};

const MOVEMENT = Prisma.sql`json_build_object('id', m.id, 'type', m.type, 'points', m.points, 'paid', m.paid_points,
  'bonus', m.bonus_points, 'balance', m.balance_after, 'bonusAfter', m.bonus_after, 'rate', m.rate,
  'balanceRate', m.balance_rate, 'tender', m.tender, 'saleRef', m.sale_ref, 'occurredAt', m.occurred_at,
  'createdAt', m.created_at, 'actorType', m.actor_type, 'actorId', m.actor_id, 'tillId', m.till_id,
  'refundsId', m.refunds_id,
  'key', CASE WHEN k.id IS NOT NULL THEN json_build_object('id', k.id, 'name', k.name) END,
  'branch', CASE WHEN m.branch_id IS NOT NULL THEN json_build_object('id', m.branch_id, 'name', m.branch_name) END,
  'reverses', CASE WHEN m.reverses_id IS NOT NULL
    THEN json_build_object('id', m.reverses_id, 'type', m.reverses_type) END)`;
const SHIFT = Prisma.sql`json_build_object('id', f.id, 'number', f.report_number, 'branchId', f.branch_id,
  'tillId', f.till_id, 'openedAt', f.opened_at, 'closedAt', f.closed_at, 'difference', f.difference)`;

/** The events that `page` selects (rows of the events table) in their order, with what their bodies are made of. */
function eventRows(db: Db | Tx, page: Prisma.Sql): Promise<Row[]> {
  return db.$queryRaw<Row[]>`
    WITH page AS MATERIALIZED (${page})
    SELECT e.id::text AS id, e.type, e.created_at AS at, e.tx, e.subject_id::text AS subject, e.i_seq AS "iSeq",
      c.public_id::text AS "publicId", e.hold_id::text AS "holdId", e.details,
      CASE WHEN m.id IS NOT NULL THEN ${MOVEMENT} END AS movement,
      CASE WHEN f.id IS NOT NULL THEN ${SHIFT} END AS shift
    FROM page e
    LEFT JOIN customers c ON c.id = e.subject_id
    LEFT JOIN movements m ON m.id = e.movement_id
    LEFT JOIN api_keys k ON k.id = m.api_key_id
    LEFT JOIN shifts f ON f.id = e.subject_id AND e.type = 'shift.closed'
    ORDER BY e.tx, e.subject_id, e.i_seq`;
}

function actorOf({ actorType, actorId, key }: MovementRow): EventMovement["actor"] {
  if (actorType === "user") return { eType: "user", _id: actorId ?? undefined };
  if (actorType === "api_key") return { eType: "apiKey", _id: key?.id, sName: key?.name };
  return { eType: actorType === "card_holder" ? "cardHolder" : "system" };
}

const moment = (text: string) => new Date(text).toISOString();

function movementOf(row: MovementRow): EventMovement {
  const { branch, tillId, reverses, refundsId } = row;
  return {
    _id: row.id,
    eType: row.type,
    sPoints: row.points,
    sPointsValue: cashValue(Math.abs(row.points), row.rate),
    iPaid: row.paid,
    iBonus: row.bonus,
    sBalance: row.balance,
    sCashValue: cashValue(row.balance, row.balanceRate),
    oPockets: { iPaid: row.balance - row.bonusAfter, iBonus: row.bonusAfter },
    eTender: row.tender,
    sSaleRef: row.saleRef,
    dOccurredAt: moment(row.occurredAt),
    dCreatedAt: moment(row.createdAt),
    actor: actorOf(row),
    branch: branch && { _id: branch.id, sBranchName: branch.name },
    till: tillId === null ? null : { _id: tillId },
    ...(reverses && { reverses: { _id: reverses.id, eType: reverses.type } }),
    ...(refundsId !== null && { refunds: { _id: refundsId } }),
  };
}

function shiftOf({ id, number, branchId, tillId, openedAt, closedAt, difference }: ShiftRow): EventShift {
  return {
    _id: id,
    iNumber: number,
    branch: { _id: branchId },
    till: { _id: tillId },
    dOpenedAt: moment(openedAt),
    dClosedAt: moment(closedAt),
    iDifference: difference,
  };
}

function bodyOf(row: Row): EventBody {
  const { type, at, iSeq, publicId, holdId, movement, shift, details } = row;
  const { status, ...ofHold } = details ?? {};
  return {
    type,
    timestamp: at.toISOString(),
    data: {
      ...(publicId !== null && {
        iSeq,
        customer: { sUUID: publicId, ...(typeof status === "string" && { eStatus: status }) },
      }),
      ...(holdId !== null && { hold: { _id: holdId, ...ofHold } }),
      ...(movement && { movement: movementOf(movement) }),
      ...(shift && { shift: shiftOf(shift) }),
    },
  };
}

/** The bodies of these events by their ids; those that were forgotten are missing. */
export async function eventBodies(db: Db | Tx, ids: string[]): Promise<Map<string, EventBody>> {
  if (ids.length === 0) return new Map();
  const rows = await eventRows(db, Prisma.sql`SELECT * FROM events WHERE id = ANY (${ids}::uuid[])`);
  return new Map(rows.map((row) => [row.id, bodyOf(row)]));
}

const cursorOf = ({ tx, subject, iSeq }: Row) =>
  Buffer.from(`${tx}.${subject}.${iSeq}`).toString("base64url");

/** The condition "after this cursor". Throws validation for a text that is none. */
function afterCursor(cursor: string | undefined): Prisma.Sql {
  if (cursor === undefined) return Prisma.sql`true`;
  const [tx = "", subject = "", seq = ""] = Buffer.from(cursor, "base64url").toString().split(".");
  if (!/^\d{1,18}$/.test(tx) || !isId(subject) || !/^\d{1,9}$/.test(seq)) {
    throw new DomainError("validation", {}, [{ path: "after", message: "validation.invalid" }]);
  }
  return Prisma.sql`(e.tx, e.subject_id, e.i_seq) > (${BigInt(tx)}::bigint, ${subject}::uuid, ${Number(seq)}::int)`;
}

/**
 * The events of the caller's merchant, the oldest first, after a cursor. nextCursor is where the next call goes on, also
 * when there is nothing more now; null before the first event. A transaction that has not ended, and every later one, is
 * told once it has: so none is missed. Throws validation for a wrong cursor.
 */
export const listEvents = operation({
  permission: "events.read",
  keyScope: "events.read",
  input: eventsSchema,
  errors: ["merchant_not_found"],
  readOnly: true,
  run: async (ctx, { after, limit, types, merchantId: named }) => {
    const merchantId = targetMerchantId(ctx.reach, named);
    const chosen = types ? Prisma.sql`e.type = ANY (${types})` : Prisma.sql`true`;
    const rows = await eventRows(
      ctx.db,
      Prisma.sql`SELECT e.* FROM events e WHERE e.merchant_id = ${merchantId}::uuid AND e.tx < ${HORIZON}
        AND ${afterCursor(after)} AND ${chosen} ORDER BY e.tx, e.subject_id, e.i_seq LIMIT ${rowCount(limit)}`,
    );
    const results = rows.map((row): WalletEvent => ({ id: row.id, ...bodyOf(row) }));
    const last = rows.at(-1);
    return { results, nextCursor: last ? cursorOf(last) : (after ?? null) };
  },
});
