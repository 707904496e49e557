import type { Db, Tx } from "@/lib/db/client";
import { Prisma } from "@/lib/db/generated/client";
import { rowCount } from "@/lib/db/query";
import { targetMerchantId } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { isId } from "@/lib/domain/is-id";
import { cashValue } from "@/lib/domain/money";
import { operation } from "@/lib/operations/operation";
import { type EventBody, type EventType, eventsSchema, type WalletEvent } from "./model";
import type { EventMovement, EventShift } from "./names";

/**
 * Every transaction below it has ended, and the statement that names it sees what they wrote: its own snapshot says so. A
 * function would take another snapshot, which may be newer than the statement's.
 */
export const HORIZON = Prisma.sql`(pg_snapshot_xmin(pg_current_snapshot())::text::bigint + posting_tx_base())`;

type MovementRow = Omit<EventMovement, "sPointsValue" | "sCashValue"> & { rate: number; balanceRate: number };
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
  shift: EventShift | null;
};

const MOVEMENT = Prisma.sql`json_build_object('_id', m.id, 'eType', m.type, 'sPoints', m.points, 'rate', m.rate,
  'iPaid', m.paid_points, 'iBonus', m.bonus_points, 'sBalance', m.balance_after, 'balanceRate', m.balance_rate,
  'oPockets', json_build_object('iPaid', m.balance_after - m.bonus_after, 'iBonus', m.bonus_after),
  'eTender', m.tender, 'sSaleRef', m.sale_ref, 'dOccurredAt', m.occurred_at, 'dCreatedAt', m.created_at,
  'actor', json_strip_nulls(json_build_object(
    'eType', CASE m.actor_type WHEN 'api_key' THEN 'apiKey' WHEN 'card_holder' THEN 'cardHolder' ELSE m.actor_type::text END,
    '_id', CASE m.actor_type WHEN 'user' THEN m.actor_id WHEN 'api_key' THEN k.id END, 'sName', k.name)),
  'branch', CASE WHEN m.branch_id IS NOT NULL
    THEN json_build_object('_id', m.branch_id, 'sBranchName', m.branch_name) END,
  'till', CASE WHEN m.till_id IS NOT NULL THEN json_build_object('_id', m.till_id) END,
  'reverses', CASE WHEN m.reverses_id IS NOT NULL
    THEN json_build_object('_id', m.reverses_id, 'eType', m.reverses_type) END,
  'refunds', CASE WHEN m.refunds_id IS NOT NULL THEN json_build_object('_id', m.refunds_id) END)`;
const SHIFT = Prisma.sql`json_build_object('_id', f.id, 'iNumber', f.report_number,
  'branch', json_build_object('_id', f.branch_id), 'till', json_build_object('_id', f.till_id),
  'dOpenedAt', f.opened_at, 'dClosedAt', f.closed_at, 'iDifference', f.difference)`;

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

const moment = (text: string) => new Date(text).toISOString();

function movementOf({ rate, balanceRate, reverses, refunds, ...movement }: MovementRow): EventMovement {
  return {
    ...movement,
    sPointsValue: cashValue(Math.abs(movement.sPoints), rate),
    sCashValue: cashValue(movement.sBalance, balanceRate),
    dOccurredAt: moment(movement.dOccurredAt),
    dCreatedAt: moment(movement.dCreatedAt),
    ...(reverses && { reverses }),
    ...(refunds && { refunds }),
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
      ...(shift && {
        shift: { ...shift, dOpenedAt: moment(shift.dOpenedAt), dClosedAt: moment(shift.dClosedAt) },
      }),
    },
  };
}

/** The bodies of these events by their ids; those that were forgotten are missing. */
export async function eventBodies(db: Db | Tx, ids: string[]): Promise<Map<string, EventBody>> {
  if (ids.length === 0) return new Map();
  const rows = await eventRows(db, Prisma.sql`SELECT * FROM events WHERE id = ANY (${ids}::uuid[])`);
  return new Map(rows.map((row) => [row.id, bodyOf(row)]));
}

type Place = Pick<Row, "tx" | "subject" | "iSeq">;
const PLACE = Prisma.sql`(e.tx, e.subject_id, e.i_seq)`;
const placeOf = ({ tx, subject, iSeq }: Place) => Prisma.sql`(${tx}::bigint, ${subject}::uuid, ${iSeq}::int)`;

const cursorOf = ({ tx, subject, iSeq }: Place) =>
  Buffer.from(`${tx}.${subject}.${iSeq}`).toString("base64url");

/** The condition "after this cursor". Throws validation for a text that is none. */
function afterCursor(cursor: string | undefined): Prisma.Sql {
  if (cursor === undefined) return Prisma.sql`true`;
  const [tx = "", subject = "", seq = ""] = Buffer.from(cursor, "base64url").toString().split(".");
  if (!/^\d{1,18}$/.test(tx) || !isId(subject) || !/^\d{1,9}$/.test(seq)) {
    throw new DomainError("validation", {}, [{ path: "after", message: "validation.invalid" }]);
  }
  return Prisma.sql`${PLACE} > ${placeOf({ tx: BigInt(tx), subject, iSeq: Number(seq) })}`;
}

/**
 * The events of the caller's merchant, the oldest first, after a cursor; nextCursor is where to go on, also at the end. Events
 * of a transaction that has not ended, and all later ones, are told once it has: so none is missed.
 */
export const listEvents = operation({
  permission: "events.read",
  keyScope: "events.read",
  input: eventsSchema,
  errors: ["merchant_not_found"],
  readOnly: true,
  run: async (ctx, { after, limit, types, merchantId: named }) => {
    const merchantId = targetMerchantId(ctx.reach, named);
    const afterwards = Prisma.sql`e.merchant_id = ${merchantId}::uuid AND e.tx < ${HORIZON} AND ${afterCursor(after)}`;
    // If the chosen types are rare, the next call must not look at the others again. Nothing can come before this event.
    const [newest] = types
      ? await ctx.db.$queryRaw<Place[]>`
          SELECT e.tx, e.subject_id::text AS subject, e.i_seq AS "iSeq" FROM events e
          WHERE ${afterwards} ORDER BY e.tx DESC, e.subject_id DESC, e.i_seq DESC LIMIT 1`
      : [];
    if (types && !newest) return { results: [], nextCursor: after ?? null };
    const chosen = newest
      ? Prisma.sql`e.type = ANY (${types}) AND ${PLACE} <= ${placeOf(newest)}`
      : Prisma.sql`true`;
    const rows = await eventRows(
      ctx.db,
      Prisma.sql`SELECT e.* FROM events e WHERE ${afterwards} AND ${chosen}
        ORDER BY e.tx, e.subject_id, e.i_seq LIMIT ${rowCount(limit)}`,
    );
    const results = rows.map((row): WalletEvent => ({ id: row.id, ...bodyOf(row) }));
    const last = (results.length < limit && newest) || rows.at(-1);
    return { results, nextCursor: last ? cursorOf(last) : (after ?? null) };
  },
});
