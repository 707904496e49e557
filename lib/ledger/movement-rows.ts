import { receiptNumber } from "@/lib/customers/model/customer-code";
import { shownId } from "@/lib/customers/model/customer-id";
import type { Db, Tx } from "@/lib/db/client";
import { type ActorType, Prisma } from "@/lib/db/generated/client";
import type { Actor } from "@/lib/domain/actor";
import { movementActor } from "./batch";
import type { LoggedMovement, MovementLink } from "./model/movements";

type Link = Omit<MovementLink, "createdAt"> & { createdAt: string };
type Links = Record<"reverses" | "reversedBy" | "refunds", Link | null> & { refundedBy: Link[] | null };
type Row = Omit<LoggedMovement, "receiptNumber" | "customer" | "actor" | keyof Links> &
  Links & {
    customer: { id: string; publicId: string; fullName: string };
    actorType: ActorType;
    actorId: string | null;
    actorName: string | null;
  };

const LINK = Prisma.sql`json_build_object('id', l.id, 'type', l.type, 'points', l.points, 'createdAt', l.created_at)`;

// By a subquery a row: joined, the planner reads every reversal of the ledger for one page.
const link = (where: Prisma.Sql) => Prisma.sql`(SELECT ${LINK} FROM movements l WHERE ${where})`;

export const byTime = (oldestFirst: boolean) =>
  oldestFirst ? Prisma.sql`m.created_at, m.id` : Prisma.sql`m.created_at DESC, m.id DESC`;

/** Until when the viewer may undo movement `m` of customer `c`, or null. */
function undoUntil(viewerId: string | null): Prisma.Sql {
  if (viewerId === null) return Prisma.sql`NULL::timestamptz`;
  return Prisma.sql`CASE WHEN m.actor_id = ${viewerId}::uuid AND m.type IN ('TOP_UP', 'REDEEM')
      AND c.erased_at IS NULL
      AND NOT EXISTS (SELECT FROM movements v WHERE v.reverses_id = m.id OFFSET 0)
      AND NOT EXISTS (
        SELECT FROM movements n WHERE n.customer_id = m.customer_id AND n.seq > m.seq AND n.type <> 'EXPIRY' OFFSET 0)
    THEN m.created_at + interval '1 minute' * (SELECT p.undo_minutes FROM points_config_in_force(m.merchant_id) p) END`;
}

/** The movements of `page` as a log shows them to this viewer, newest first unless `oldestFirst`. */
export async function movementRows(
  db: Db | Tx,
  page: Prisma.Sql,
  viewer: Actor,
  oldestFirst = false,
): Promise<LoggedMovement[]> {
  const rows = await db.$queryRaw<Row[]>`
    WITH page AS MATERIALIZED (${page})
    SELECT m.id, m.type::text AS type, m.points, m.paid_points AS "paidPoints", m.bonus_points AS "bonusPoints",
      m.balance_after AS "balanceAfter", m.bonus_after AS "bonusAfter", m.rate, m.balance_rate AS "balanceRate", m.seq,
      m.tender::text AS tender, m.sale_ref AS "saleRef",
      (SELECT x.reason FROM movement_texts x WHERE x.movement_id = m.id) AS reason,
      m.reverses_id AS "reversesId", m.refunds_id AS "refundsId", m.occurred_at AS "occurredAt",
      m.created_at AS "createdAt", m.proof::text AS proof,
      json_build_object('id', c.id, 'publicId', c.public_id, 'fullName', c.full_name) AS customer,
      c.code AS "customerCode", c.erased_at IS NOT NULL AS "customerErased",
      CASE WHEN m.branch_id IS NOT NULL THEN json_build_object('id', m.branch_id, 'name', m.branch_name, 'nameAr', (
        -- Of another name than the one that the movement keeps it says nothing.
        SELECT b.name_ar FROM branches b WHERE b.id = m.branch_id AND b.name = m.branch_name
      )) END AS branch,
      CASE WHEN m.till_id IS NOT NULL THEN json_build_object('id', m.till_id, 'name', l.name) END AS till,
      m.actor_type::text AS "actorType", m.actor_id AS "actorId", m.actor_name AS "actorName",
      -- Of the top-ups, only one that the inbox posted has a reason. What its cashier posted has no resolver.
      CASE WHEN m.type = 'TOP_UP' AND m.text_hash IS NOT NULL THEN (
        SELECT json_build_object('id', u.id, 'name', u.first_name || ' ' || u.last_name)
        FROM offline_entries e JOIN users u ON u.id = e.resolved_by_id WHERE e.movement_id = m.id LIMIT 1
      ) END AS resolver,
      json_build_object('id', s.id, 'businessName', s.business_name, 'businessNameAr', s.business_name_ar) AS merchant,
      CASE WHEN m.reverses_id IS NOT NULL THEN ${link(Prisma.sql`l.id = m.reverses_id`)} END AS reverses,
      ${link(Prisma.sql`l.reverses_id = m.id`)} AS "reversedBy",
      CASE WHEN m.refunds_id IS NOT NULL THEN ${link(Prisma.sql`l.id = m.refunds_id`)} END AS refunds,
      CASE WHEN m.type = 'REDEEM' THEN (
        SELECT json_agg(${LINK} ORDER BY l.created_at, l.id) FROM movements l
        WHERE l.refunds_id = m.id
          AND NOT EXISTS (SELECT FROM movements w WHERE w.reverses_id = l.id OFFSET 0)
      ) END AS "refundedBy",
      ${undoUntil(viewer.type === "user" ? viewer.userId : null)} AS "undoUntil"
    FROM page m
    JOIN customers c ON c.id = m.customer_id
    LEFT JOIN tills l ON l.id = m.till_id
    JOIN merchants s ON s.id = m.merchant_id
    ORDER BY ${byTime(oldestFirst)}`;
  return rows.map((row) => toMovement(row, viewer));
}

function toMovement(row: Row, viewer: Actor): LoggedMovement {
  const { actorType, actorId, actorName, customer, reverses, reversedBy, refunds, refundedBy, ...own } = row;
  return {
    ...own,
    receiptNumber: receiptNumber(row, row.customerCode),
    customer: { ...customer, id: shownId(viewer, customer) },
    actor: movementActor(actorType, actorId, actorName),
    reverses: reverses && dated(reverses),
    reversedBy: reversedBy && dated(reversedBy),
    refunds: refunds && dated(refunds),
    refundedBy: (refundedBy ?? []).map(dated),
  };
}

const dated = (link: Link): MovementLink => ({ ...link, createdAt: new Date(link.createdAt) });
