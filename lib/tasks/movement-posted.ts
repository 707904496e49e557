import { z } from "zod";
import { freezeUrl } from "@/lib/cards/freeze-card";
import type { Tx } from "@/lib/db/client";
import type { MovementType, Tender } from "@/lib/domain/movements";
import { DEFAULT_LOCALE, isLocale } from "@/lib/domain/roles";
import { type QueuedEmail, queueEmails } from "@/lib/email/queue";
import type { Task } from "@/lib/jobs/queue";
import { queuePassPushes, touchPassesOfCustomers, touchPassesOfMerchant } from "@/lib/passes/touch-pass";

/** The traceparents of the requests that posted movements, by movement. */
type Traces = ReadonlyMap<string, string | null>;

/**
 * Queues the receipts of movements and updates the customers' passes, in the caller's transaction. It is idempotent,
 * because a receipt has the id of its movement. Pass a few hundred ids at most, to keep the transaction short.
 */
export async function handlePostedMovements(
  tx: Tx,
  movementIds: string[],
  traces: Traces = new Map(),
): Promise<void> {
  const moved = await tx.$queryRaw<{ customerId: string }[]>`
    select distinct customer_id::text as "customerId" from movements where id = any(${movementIds}::uuid[])`;
  if (moved.length === 0) return;
  await writeReceipts(tx, movementIds, traces);
  await touchPassesOfCustomers(
    tx,
    moved.map(({ customerId }) => customerId),
  );
}

const MOVEMENTS_PER_TRANSACTION = 500;

/** Handles all movements in the posting outbox, a few hundred per transaction, until it is empty. */
export const processPostingOutbox: Task = async ({ db }) => {
  for (let handled = MOVEMENTS_PER_TRANSACTION; handled === MOVEMENTS_PER_TRANSACTION; ) {
    handled = await db.$transaction(async (tx) => {
      const rows = await tx.$queryRaw<{ id: string; traceparent: string | null }[]>`
        delete from posting_outbox where movement_id = any(array(
          select movement_id from posting_outbox order by movement_id limit ${MOVEMENTS_PER_TRANSACTION}::int for update skip locked))
        returning movement_id::text as id, traceparent`;
      if (rows.length > 0) {
        await handlePostedMovements(
          tx,
          rows.map(({ id }) => id),
          new Map(rows.map((row) => [row.id, row.traceparent])),
        );
      }
      return rows.length;
    });
  }
};

const payloadSchema = z.object({ movementId: z.uuid() });

/** Queues the receipt and the pass update of one movement. */
export const movementPosted: Task = async ({ db }, payload) => {
  const { movementId } = payloadSchema.parse(payload);
  await db.$transaction((tx) => handlePostedMovements(tx, [movementId]));
};

const customerPayload = z.object({ customerId: z.uuid() });

/** Updates the pass of a renamed customer. Idempotent. */
export const customerRenamed: Task = async ({ db }, payload) => {
  await touchPassesOfCustomers(db, [customerPayload.parse(payload).customerId]);
};

const cardsPayload = z.object({ merchantId: z.uuid().nullable() });

/** Updates the passes of a merchant (null: all passes) after a new rate, name or image. Idempotent. */
export const cardsChanged: Task = async ({ db }, payload) => {
  await touchPassesOfMerchant(db, cardsPayload.parse(payload).merchantId);
};

/** Notifies the devices of a deleted card, whose pass is void. Idempotent. */
export const customerErased: Task = async ({ db }, payload) => {
  await queuePassPushes(db, customerPayload.parse(payload).customerId);
};

type ReceiptRow = {
  id: string;
  kind: MovementType;
  points: number;
  paid: number;
  bonus: number;
  tender: Tender | null;
  saleRef: string | null;
  balance: number;
  rate: number;
  balanceRate: number;
  at: Date;
  branch: string | null;
  merchant: string;
  customerId: string;
  name: string;
  email: string;
  locale: string;
};

function receiptOf({ id, email, customerId, locale, ...facts }: ReceiptRow): QueuedEmail<"receipt"> {
  return {
    id,
    to: email,
    customerId,
    template: "receipt",
    params: { ...facts, reference: id, notMeUrl: freezeUrl(customerId, facts.at) },
    locale: isLocale(locale) ? locale : DEFAULT_LOCALE,
  };
}

/** Queues the movements' receipts in the customers' languages. Skips existing receipts and customers without an e-mail. */
async function writeReceipts(tx: Tx, movementIds: string[], traces: Traces): Promise<void> {
  // The lock excludes a concurrent deletion of the card, so that the receipt is either not written or deleted with it.
  // It does not conflict with the lock of postings.
  const rows = await tx.$queryRaw<ReceiptRow[]>`
    select m.id::text as id, m.type::text as kind, m.points, m.paid_points as paid, m.bonus_points as bonus,
      m.tender::text as tender, m.sale_ref as "saleRef", m.balance_after as balance, m.rate,
      m.balance_rate as "balanceRate", m.created_at as at,
      b.name as branch, s.business_name as merchant, c.id::text as "customerId", c.full_name as name, c.email, c.locale
    from movements m
    join customers c on c.id = m.customer_id
    left join branches b on b.id = m.branch_id
    join merchants s on s.id = m.merchant_id
    where m.id = any(${movementIds}::uuid[]) and c.email is not null
      and not exists (select 1 from emails e where e.id = m.id)
    order by m.id for key share of c`;
  await queueEmails(
    tx,
    rows.map((row) => ({ ...receiptOf(row), traceparent: traces.get(row.id) ?? null })),
  );
}
