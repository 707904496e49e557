import { z } from "zod";
import { cardUrl, freezeUrl } from "@/lib/cards/freeze-card";
import { receiptNumber } from "@/lib/customers/model/customer-code";
import type { Db, Tx } from "@/lib/db/client";
import { isDatabaseUnavailable } from "@/lib/db/faults";
import { branchName, merchantName } from "@/lib/domain/localized-names";
import { localeOr } from "@/lib/domain/roles";
import { type QueuedEmail, queueEmails } from "@/lib/email/queue";
import type { TemplateParams } from "@/lib/email/render";
import { fillDailySums } from "@/lib/jobs/daily-sums";
import type { JobContext, Task } from "@/lib/jobs/queue";
import { LARGE_REDEMPTION } from "@/lib/notices/model";
import { log } from "@/lib/observe/log";
import { queuePassPushes, touchPassesOfCustomers, touchPassesOfMerchant } from "@/lib/passes/push";

type Traces = ReadonlyMap<string, string | null>;

/** Queues receipts and pass updates of some hundred ids. Idempotent: a receipt has its movement's id. */
export async function handlePostedMovements(
  tx: Tx,
  movementIds: string[],
  traces: Traces = new Map(),
): Promise<void> {
  const moved = await tx.$queryRaw<{ customerId: string }[]>`
    select distinct customer_id::text as "customerId" from movements where id = any(${movementIds}::uuid[])`;
  if (moved.length === 0) return;
  await writeReceipts(tx, movementIds, traces);
  await noticeUnusual(tx, movementIds);
  await touchPassesOfCustomers(
    tx,
    moved.map(({ customerId }) => customerId),
  );
}

/** Notifies owners, from the outbox: it loses nothing, and the posting stays fast. */
async function noticeUnusual(tx: Tx, movementIds: string[]): Promise<void> {
  await tx.$executeRaw`
    insert into notices (merchant_id, kind, user_id, customer_id, record_id, amount)
    select m.merchant_id, 'large_redemption', m.actor_id, m.customer_id, m.id, -m.points::bigint * m.rate
    from movements m
    where m.id = any(${movementIds}::uuid[]) and m.type = 'REDEEM' and m.actor_type = 'user'
      and -m.points::bigint * m.rate >= ${LARGE_REDEMPTION}::int
    on conflict (kind, record_id) do nothing`;
  // Cash that a till gave back for a top-up of another till, or of none. Only owners can do that, so the notice names nobody:
  // the owner who did it reads it too, in case somebody else used their session.
  await tx.$executeRaw`
    insert into notices (merchant_id, kind, till_id, customer_id, record_id, amount)
    select m.merchant_id, 'other_till_cash', m.till_id, m.customer_id, m.id, -m.paid_points::bigint * m.rate
    from movements m join movements o on o.id = m.reverses_id
    where m.id = any(${movementIds}::uuid[]) and m.till_id is not null
      and o.type = 'TOP_UP' and o.tender = 'cash' and o.till_id is distinct from m.till_id
    on conflict (kind, record_id) do nothing`;
  // Captures on a card that was frozen or blocked after its points were held.
  await tx.$executeRaw`
    insert into notices (merchant_id, kind, user_id, api_key_id, customer_id, record_id, amount)
    select m.merchant_id, 'frozen_capture', m.actor_id, m.api_key_id, m.customer_id, m.id, -m.points::bigint * m.rate
    from movements m join customers c on c.id = m.customer_id
    where m.id = any(${movementIds}::uuid[]) and m.hold_id is not null and c.status in ('frozen', 'blocked')
    on conflict (kind, record_id) do nothing`;
}

const MOVEMENTS_PER_TRANSACTION = 500;
/** The longest pause between two attempts, in minutes. */
const LONGEST_PAUSE = 60;

/** Takes up to `most` due movements from the outbox, only those of `ids` if given, and handles them in one transaction. */
async function handleDue(
  db: Db,
  taken: Map<string, string | null>,
  most: number,
  ids: string[] | null = null,
): Promise<void> {
  await db.$transaction(async (tx) => {
    const rows = await tx.$queryRaw<{ id: string; traceparent: string | null }[]>`
      delete from posting_outbox where movement_id = any(array(
        select movement_id from posting_outbox
        where (next_try_at is null or next_try_at <= now())
          and (${ids}::uuid[] is null or movement_id = any(${ids}::uuid[]))
        order by movement_id limit ${most}::int for update skip locked))
      returning movement_id::text as id, traceparent`;
    for (const { id, traceparent } of rows) taken.set(id, traceparent);
    if (taken.size > 0) await handlePostedMovements(tx, [...taken.keys()], taken);
  });
}

/** Handles one movement; if that fails, logs the error and postpones the next attempt, twice as long each time. */
async function handleAlone(db: Db, id: string): Promise<void> {
  try {
    await handleDue(db, new Map(), 1, [id]);
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error;
    log("error", "posting_outbox_failed", { movementId: id, error });
    await db.$executeRaw`
      update posting_outbox set attempts = attempts + 1,
        next_try_at = now() + least(power(2, attempts), ${LONGEST_PAUSE}::int) * interval '1 minute'
      where movement_id = ${id}::uuid`;
  }
}

/** Milliseconds. In between, pages read what is in no sum row by row; a job of each minute counts what is left. */
const COUNT_EVERY = 10_000;
const countedAt = new WeakMap<Db, number>();

/**
 * Handles the due movements of the outbox, a few hundred per transaction, and adds them to their days' sums now and then.
 * Where a transaction fails, each is handled alone: one that fails is logged and tried again later.
 */
export async function processPostingOutbox({ db }: Pick<JobContext, "db">): Promise<void> {
  let any = false;
  for (let handled = MOVEMENTS_PER_TRANSACTION; handled === MOVEMENTS_PER_TRANSACTION; ) {
    const taken = new Map<string, string | null>();
    try {
      await handleDue(db, taken, MOVEMENTS_PER_TRANSACTION);
    } catch (error) {
      if (isDatabaseUnavailable(error) || taken.size === 0) throw error;
      for (const id of taken.keys()) await handleAlone(db, id);
    }
    handled = taken.size;
    any ||= handled > 0;
  }
  if (!any || performance.now() - (countedAt.get(db) ?? Number.NEGATIVE_INFINITY) < COUNT_EVERY) return;
  countedAt.set(db, performance.now());
  await fillDailySums(db);
}

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

type ReceiptRow = Omit<TemplateParams["receipt"], "merchant" | "reference" | "notMeUrl" | "cardUrl"> & {
  id: string;
  branchAr: string | null;
  /** When the ledger got it: a till may have kept it for days since `at`. */
  postedAt: Date;
  businessName: string;
  businessNameAr: string | null;
  customerId: string;
  code: string | null;
  seq: number;
  email: string;
  locale: string;
  merchantId: string;
};

function receiptOf(row: ReceiptRow): QueuedEmail<"receipt"> {
  const { id, customerId, branch } = row;
  const locale = localeOr(row.locale);
  return {
    id,
    to: row.email,
    customerId,
    template: "receipt",
    params: {
      ...row,
      branch: branch && branchName({ name: branch, nameAr: row.branchAr }, locale),
      merchant: merchantName(row, locale),
      reference: receiptNumber(row, row.code),
      notMeUrl: freezeUrl(customerId, row.postedAt),
      cardUrl: cardUrl(customerId),
    },
    locale,
    shop: row.merchantId,
  };
}

/** Queues the movements' receipts in the customers' languages. Skips existing receipts and customers without an e-mail. */
async function writeReceipts(tx: Tx, movementIds: string[], traces: Traces): Promise<void> {
  // The lock excludes a concurrent deletion of the card, so that the receipt is either not written or deleted with it.
  // It does not conflict with the lock of postings.
  const rows = await tx.$queryRaw<ReceiptRow[]>`
    select m.id::text as id, m.type::text as kind, m.points, m.paid_points as paid, m.bonus_points as bonus,
      m.tender::text as tender, m.sale_ref as "saleRef", m.balance_after as balance, m.rate,
      m.balance_rate as "balanceRate", m.occurred_at as at, m.created_at as "postedAt",
      b.name as branch, b.name_ar as "branchAr", s.business_name as "businessName",
      s.business_name_ar as "businessNameAr", c.id::text as "customerId", c.code, m.seq, c.full_name as name, c.email, c.locale,
      s.id::text as "merchantId"
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
