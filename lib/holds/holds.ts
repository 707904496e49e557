import { z } from "zod";
import type { Db, Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import { type Order, pageIds, pageOf, sortByIds, timeKey } from "@/lib/db/paging";
import { eitherIdIs } from "@/lib/db/query";
import { merchantWhere, type Reach, type StaffActor } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { idSchema, nothingSchema } from "@/lib/domain/ids";
import { cashValue } from "@/lib/domain/money";
import { updatePasses } from "@/lib/jobs/add-job";
import {
  type HoldJson,
  holdFrom,
  holdShownTo,
  type Outcome,
  type PostedHold,
  type PostingRequest,
} from "@/lib/ledger/batch";
import type { Page } from "@/lib/ledger/model/movements";
import { KEY_REFUSALS, REDEEM_REFUSALS } from "@/lib/ledger/move-points";
import { posting, receiptOf, refusalOf } from "@/lib/ledger/post-request";
import { judgeProof } from "@/lib/ledger/proof";
import { operation } from "@/lib/operations/operation";
import {
  captureHoldSchema,
  extendHoldSchema,
  type HoldState,
  type HoldsQuery,
  holdsSchema,
  openHoldSchema,
  type ReservedNow,
  releaseHoldSchema,
  voidHoldSchema,
} from "./model";
import type { Capture, HeldCard, Hold } from "./names";

const NEWEST: Order = { keys: [timeKey(Prisma.sql`h.created_at`)], id: Prisma.sql`h.id`, down: true };

const FROM = Prisma.sql`holds h join merchants s on s.id = h.merchant_id`;

const within = (reach: Reach): Prisma.Sql => {
  const { merchantId } = merchantWhere(reach);
  return merchantId ? Prisma.sql`h.merchant_id = ${merchantId}::uuid` : Prisma.sql`true`;
};

/** A hold within reach, as of now. Throws hold_not_found. */
export async function findHold(db: Db | Tx, reach: Reach, holdId: string, now: Date): Promise<PostedHold> {
  const [row] = await db.$queryRaw<{ hold: HoldJson }[]>`
    select hold_json(h.id, ${now}::timestamptz) as hold from ${FROM} where h.id = ${holdId}::uuid and ${within(reach)}`;
  if (!row) throw new DomainError("hold_not_found");
  return holdFrom(row.hold);
}

/** A hold whose time is over counts as lapsed, whether or not anything has ended it. */
function inState(state: HoldState, now: Date): Prisma.Sql {
  const lapsed = Prisma.sql`is_lapsed(h.expires_at, s.suspended_at, ${now}::timestamptz)`;
  if (state === "open") return Prisma.sql`h.state = 'open' and not ${lapsed}`;
  if (state === "lapsed") return Prisma.sql`(h.state = 'lapsed' or (h.state = 'open' and ${lapsed}))`;
  return Prisma.sql`h.state = ${state}::"HoldState"`;
}

function matching({ customerId, branchId, keyId, state, merchantId }: HoldsQuery, now: Date): Prisma.Sql[] {
  return [
    ...(customerId
      ? [Prisma.sql`h.customer_id = (select c.id from customers c where ${eitherIdIs(customerId)})`]
      : []),
    ...(branchId ? [Prisma.sql`h.branch_id = ${branchId}::uuid`] : []),
    ...(keyId ? [Prisma.sql`h.api_key_id = ${keyId}::uuid`] : []),
    ...(merchantId ? [Prisma.sql`h.merchant_id = ${merchantId}::uuid`] : []),
    ...(state ? [inState(state, now)] : []),
  ];
}

/** One hold. Throws hold_not_found. */
export const readHold = operation({
  permission: "customers.find",
  keyScope: "redeem",
  input: z.object({ holdId: idSchema }),
  errors: ["hold_not_found"],
  readOnly: true,
  run: async (ctx, { holdId }): Promise<Hold> =>
    holdShownTo(ctx.actor, await findHold(ctx.db, ctx.reach, holdId, ctx.clock())),
});

/** A page of the holds in the caller's reach, newest first, by customer, branch, API key and state. */
export const listHolds = operation({
  permission: "customers.find",
  keyScope: "redeem",
  input: holdsSchema,
  readOnly: true,
  run: async (ctx, query): Promise<Page<Hold>> => {
    const now = ctx.clock();
    const own = within(ctx.reach);
    const where = Prisma.join([own, ...matching(query, now)], " and ");
    const ids = await pageIds(ctx.db, { from: FROM, within: own, where }, NEWEST, query);
    const rows = await ctx.db.$queryRaw<{ hold: HoldJson }[]>`
      select hold_json(id, ${now}::timestamptz) as hold from unnest(${ids}::uuid[]) id`;
    const found = rows.map(({ hold }) => holdFrom(hold));
    return pageOf(sortByIds(ids, found), query, (hold) => holdShownTo(ctx.actor, hold));
  },
});

/** The points that open holds reserve at this moment within the reach, in points and QAR at the rates in force, and how many there are. */
export const reservedNow = operation({
  permission: "reports.read",
  input: nothingSchema,
  readOnly: true,
  run: async (ctx): Promise<ReservedNow> => {
    const [row] = await ctx.db.$queryRaw<{ holds: number; points: bigint; dirhams: bigint }[]>`
      select coalesce(sum(open.holds), 0)::int as holds, coalesce(sum(open.points), 0)::bigint as points,
        coalesce(sum(open.points * config.dirhams_per_point), 0)::bigint as dirhams
      from (
        select h.merchant_id, count(*) as holds, sum(h.points - h.captured) as points
        from ${FROM}
        where ${inState("open", ctx.clock())} and ${within(ctx.reach)}
        group by h.merchant_id
      ) open cross join lateral points_config_in_force(open.merchant_id) config`;
    const { holds = 0, points = 0n, dirhams = 0n } = row ?? {};
    return { holds, points: Number(points), cashValue: cashValue(dirhams, 1) };
  },
});

/** The share of what a merchant owes to its customers above which held points are worth a notice, in per cent. */
const SHARE = 20;

/** Tells owners once a day that holds reserve over a fifth of what they owe: software may hold what it never takes. */
export async function alertHeld(db: Db): Promise<void> {
  await db.$executeRaw`
    insert into notices (merchant_id, kind, record_id, amount)
    select h.merchant_id, 'held_share', md5(h.merchant_id::text || qatar_day(now()))::uuid, h.points * 100 / owed.points
    from (
      select merchant_id, sum(points - captured) as points from holds
      where state = 'open' and expires_at > now() group by merchant_id
    ) h cross join lateral (
      select sum(d.paid + d.bonus) as points from (
        select distinct on (type) paid, bonus from pocket_days p where p.merchant_id = h.merchant_id
        order by type, day desc
      ) d
    ) owed
    where owed.points > 0 and h.points * 100 > owed.points * ${SHARE}::int
    on conflict (kind, record_id) do nothing`;
}

/** The result of a call on a hold, which the card's pass then shows. Throws the refusal as a DomainError. */
async function heldOf(outcome: Outcome, ctx: Context<StaffActor>): Promise<HeldCard> {
  if (outcome.outcome !== "held") throw refusalOf(outcome, "REDEEM", ctx.actor);
  const { hold, replayed } = outcome;
  if (!replayed) await updatePasses(ctx.db, ctx, [hold.customer.id]);
  return { hold: holdShownTo(ctx.actor, hold), balance: hold.balance, held: hold.held, replayed };
}

/** A call of a hold that is there: its card and branch never change. Throws hold_not_found. */
async function requestOf(
  ctx: Pick<Context, "db" | "clock">,
  reach: Reach,
  holdId: string,
  holdCall: NonNullable<PostingRequest["holdCall"]>,
  more: Partial<PostingRequest>,
): Promise<PostingRequest> {
  const { customer, branch } = await findHold(ctx.db, reach, holdId, ctx.clock());
  return { type: "REDEEM", holdCall, hold: holdId, customer: customer.id, branch: branch.id, ...more };
}

/** `input`, `stored` and `run` of a call that ends a hold or moves its end, with its own fields and the live code that it needs. */
const heldCall = <Input extends { holdId: string; idempotencyKey?: string; proof?: string }, Sent>(
  schema: z.ZodType<Input, Sent>,
  holdCall: NonNullable<PostingRequest["holdCall"]>,
  more: (input: Input) => Partial<PostingRequest>,
) =>
  posting(
    schema,
    (input, ctx, reach) => requestOf(ctx, reach, input.holdId, holdCall, more(input)),
    heldOf,
    (ctx, { proof }, { customer = "" }) => ({ judge: () => judgeProof(ctx, ctx.reach, customer, proof, 0) }),
  );

const HOLD_REFUSALS = ["hold_not_found", "hold_closed", "merchant_unavailable", "branch_mismatch"] as const;

/**
 * Reserves points of a card for captures, for `seconds`: named lots and paid points, in the order in which a redemption takes
 * them and by its rules, for the whole amount. A code is spent. More seconds than the key allows are refused.
 */
export const openHold = operation({
  permission: "money.redeem",
  keyScope: "redeem",
  errors: [...REDEEM_REFUSALS, "below_minimum", "too_many_holds"],
  ...posting(
    openHoldSchema,
    ({ customerId, branchId, points, upTo, seconds, saleRef }) => ({
      type: "REDEEM",
      holdCall: "open",
      customer: customerId,
      branch: branchId,
      points,
      upTo: upTo || undefined,
      seconds,
      saleRef,
    }),
    heldOf,
    (ctx, { customerId, proof, points, upTo }) => ({
      judge: () => judgeProof(ctx, ctx.reach, customerId, proof, points, upTo),
      costs: proof !== undefined,
    }),
  ),
});

/**
 * Redeems points of an open hold, by default the rest. A final capture (the default) ends the hold, and what is left is
 * free. It asks for no confirmation, and the card may be blocked or frozen.
 */
export const captureHold = operation({
  permission: "money.redeem",
  keyScope: "redeem",
  errors: [
    ...HOLD_REFUSALS,
    "hold_exceeded",
    "below_minimum",
    "own_card",
    "customer_erased",
    ...KEY_REFUSALS,
  ],
  ...posting(
    captureHoldSchema,
    ({ holdId, points, final, saleRef }, ctx, reach) =>
      requestOf(ctx, reach, holdId, "capture", {
        points,
        final: final === false ? false : undefined,
        saleRef,
      }),
    (outcome, { actor }): Capture => {
      const receipt = receiptOf(outcome, "REDEEM", actor);
      if (!("hold" in outcome) || !outcome.hold) throw new DomainError("key_reused");
      return { ...receipt, hold: holdShownTo(actor, outcome.hold) };
    },
  ),
});

/** Ends an open hold; its points are free. A voided hold is answered as it is. A user voids only what a user opened. */
export const voidHold = operation({
  permission: "money.redeem",
  keyScope: "redeem",
  errors: [...HOLD_REFUSALS, ...KEY_REFUSALS],
  ...heldCall(voidHoldSchema, "void", ({ note }) => ({ reason: note || undefined })),
});

/** Ends an open hold `seconds` from now: once, and never beyond the longest hold of its key since it was opened. */
export const extendHold = operation({
  permission: "money.redeem",
  keyScope: "redeem",
  errors: [...HOLD_REFUSALS, "hold_extended", ...KEY_REFUSALS],
  ...heldCall(extendHoldSchema, "extend", ({ seconds }) => ({ seconds })),
});

/** Ends an API key's hold at the counter, with the card's live code, which is spent. Forbidden for a user's hold. */
export const releaseHold = operation({
  permission: "money.redeem",
  errors: [...HOLD_REFUSALS, "proof_invalid", ...KEY_REFUSALS],
  ...heldCall(releaseHoldSchema, "release", () => ({})),
});
