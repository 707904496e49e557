import { z } from "zod";
import { freezeUrl } from "@/lib/cards/freeze-card";
import type { Tx } from "@/lib/db/client";
import type { MovementType, Tender } from "@/lib/domain/movements";
import { DEFAULT_LOCALE, isLocale } from "@/lib/domain/roles";
import { type QueuedEmail, queueEmails } from "@/lib/email/queue";
import type { Task } from "@/lib/jobs/queue";
import { announcePass, touchPasses, touchPassesOf } from "@/lib/passes/touch-pass";

/**
 * What follows movements, in sets and within the caller's transaction: receipts are written into the outbox, passes
 * change and whoever holds them is told. Safe to repeat: a movement's id names its receipt. Any number of ids; a few
 * hundred at a time keep the transaction short.
 */
export async function followMovements(tx: Tx, movementIds: string[]): Promise<void> {
  const moved = await tx.$queryRaw<{ customerId: string }[]>`
    select distinct customer_id::text as "customerId" from movements where id = any(${movementIds}::uuid[])`;
  if (moved.length === 0) return;
  await writeReceipts(tx, movementIds);
  await touchPassesOf(
    tx,
    moved.map(({ customerId }) => customerId),
  );
}

const AT_A_TIME = 500;

/** Takes what was posted out of the posting outbox, a few hundred a transaction, until nothing is left. */
export const followPostings: Task = async ({ db }) => {
  for (let taken = AT_A_TIME; taken === AT_A_TIME; ) {
    taken = await db.$transaction(async (tx) => {
      const rows = await tx.$queryRaw<{ id: string }[]>`
        delete from posting_outbox where movement_id = any(array(
          select movement_id from posting_outbox order by movement_id limit ${AT_A_TIME}::int for update skip locked))
        returning movement_id::text as id`;
      if (rows.length > 0) {
        await followMovements(
          tx,
          rows.map(({ id }) => id),
        );
      }
      return rows.length;
    });
  }
};

const payloadSchema = z.object({ movementId: z.uuid() });

/** What follows one movement: see followMovements. */
export const movementPosted: Task = async ({ db }, payload) => {
  const { movementId } = payloadSchema.parse(payload);
  await db.$transaction((tx) => followMovements(tx, [movementId]));
};

const customerPayload = z.object({ customerId: z.uuid() });

/** A holder's name was mended: the pass says so too. Safe to repeat. */
export const customerRenamed: Task = async ({ db }, payload) => {
  await touchPassesOf(db, [customerPayload.parse(payload).customerId]);
};

const cardsPayload = z.object({ merchantId: z.uuid().nullable() });

/** What stands on every card of a merchant (null: of all) changed: rate, name or picture. Safe to repeat. */
export const cardsChanged: Task = async ({ db }, payload) => {
  await touchPasses(db, cardsPayload.parse(payload).merchantId);
};

/** A card that was deleted: its passes hear that they are void. Safe to repeat. */
export const customerErased: Task = async ({ db }, payload) => {
  await announcePass(db, customerPayload.parse(payload).customerId);
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

/** Mails the customers the movements' receipts in their language, where none was written yet and there is an address. */
async function writeReceipts(tx: Tx, movementIds: string[]): Promise<void> {
  // The lock waits for a deletion of the card that is under way and holds up the next one, so that the receipt is
  // either not written or deleted; postings take a weaker lock and pass.
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
  await queueEmails(tx, rows.map(receiptOf));
}
