import { audit, merchantOrPlatform } from "@/lib/audit/audit";
import { Prisma } from "@/lib/db/generated/client";
import type { StaffActor } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import type { KeyScope } from "@/lib/domain/key-scopes";
import { translator } from "@/lib/i18n/translate";
import { updatePasses } from "@/lib/jobs/add-job";
import { holdShownTo } from "@/lib/ledger/batch";
import type { Movement, MovementType } from "@/lib/ledger/model/movements";
import { KEY_REFUSALS, REVERSAL_REFUSALS } from "@/lib/ledger/move-points";
import { type PostingContext, postOutcome, receiptOf, refusalOf } from "@/lib/ledger/post-request";
import { operation } from "@/lib/operations/operation";
import { findHold } from "./holds";
import { type ReverseLost, reverseLostSchema } from "./model";
import type { LostResult } from "./names";

const DAY = 24 * 3_600_000;

/** The scopes that an API key needs to undo what it posted. */
const SCOPES: Partial<Record<MovementType, KeyScope>> = {
  TOP_UP: "topup",
  BONUS: "bonus",
  REDEEM: "redeem",
  REFUND: "refund",
};

/** Throws forbidden for an API key that has none of the scopes. */
function assertScope({ actor }: PostingContext, scopes: (KeyScope | undefined)[]): void {
  if (actor.type === "apiKey" && !actor.scopes.some((scope) => scopes.includes(scope))) {
    throw new DomainError("forbidden");
  }
}

const userOf = (actor: StaffActor): string | null => (actor.type === "user" ? actor.userId : null);
const keyOf = (actor: StaffActor): string | null => (actor.type === "apiKey" ? actor.keyId : null);

/** The actor's posting under this idempotency key; neither when a tombstone keeps it from being posted. */
async function givenUp(ctx: PostingContext, idempotencyKey: string) {
  assertScope(ctx, Object.values(SCOPES));
  const { actor } = ctx;
  const [user, apiKey] = [userOf(actor), keyOf(actor)];
  return ctx.db.$transaction(async (tx) => {
    const [key] = await tx.$queryRaw<{ movement: string | null; isNew: boolean }[]>`
      select movement::text as movement, is_new as "isNew"
      from give_up_key(${user}::uuid, ${apiKey}::uuid, ${idempotencyKey})`;
    if (key?.isNew) {
      const about = merchantOrPlatform(actor.merchantId);
      await audit(tx, ctx, { ...about, action: "posting.given_up", after: { idempotencyKey } });
      return { movement: null, hold: null };
    }
    if (key?.movement) {
      // The key may have been answered with what others posted: it posted nothing then.
      const own = await tx.movement.count({
        where: { id: key.movement, ...(apiKey ? { apiKeyId: apiKey } : { actorId: user }) },
      });
      if (own === 0) throw new DomainError("not_reversible");
      return { movement: key.movement, hold: null };
    }
    // By a separate statement, which sees what the function waited for.
    const [held] = await tx.$queryRaw<{ hold: string | null }[]>`
      select hold_id::text as hold from used_keys
      where api_key_id = ${apiKey}::uuid and idempotency_key = ${idempotencyKey}
      union all select hold_id::text from answered_keys
      where actor_id = ${user}::uuid and idempotency_key = ${idempotencyKey}`;
    return { movement: null, hold: held?.hold ?? null };
  });
}

/** The one movement of this type, or hold, that the actor posted for the sale in the last 24 hours. */
async function postedForSale(
  ctx: PostingContext,
  saleRef: string,
  type: NonNullable<ReverseLost["type"]>,
): Promise<string> {
  const { actor } = ctx;
  const isHold = type === "HOLD";
  assertScope(ctx, [SCOPES[isHold ? "REDEEM" : type]]);
  const since = new Date(ctx.clock().getTime() - DAY);
  const [user, apiKey] = [userOf(actor), keyOf(actor)];
  const posted = isHold
    ? Prisma.sql`holds p where true`
    : Prisma.sql`movements p where p.type = ${type}::"MovementType"`;
  const found = await ctx.db.$queryRaw<{ id: string }[]>`
    select p.id::text as id from ${posted} and (p.actor_id = ${user}::uuid or p.api_key_id = ${apiKey}::uuid)
      and p.created_at > ${since} and p.sale_ref = ${saleRef}
    order by p.created_at, p.id limit 20`;
  const [one] = found;
  if (!one) throw new DomainError(isHold ? "hold_not_found" : "movement_not_found");
  if (found.length > 1) {
    const ids = found.map(({ id }) => id).join(" ");
    throw new DomainError("ambiguous", isHold ? { ids, holds: 1 } : { ids });
  }
  return one.id;
}

/** Posts the opposite of what the actor posted, or answers the reversal that is there already. */
async function undo(ctx: PostingContext, movementId: string): Promise<Movement> {
  const since = new Date(ctx.clock().getTime() - DAY);
  const [found] = await ctx.db.$queryRaw<{ type: MovementType; isLate: boolean }[]>`
    select m.type::text as type, m.created_at <= ${since}
      and not exists (select from movements v where v.reverses_id = m.id) as "isLate"
    from movements m where m.id = ${movementId}::uuid`;
  if (!found) throw new DomainError("movement_not_found");
  assertScope(ctx, [SCOPES[found.type]]);
  if (found.isLate) throw new DomainError("undo_expired");
  const reason = translator(ctx.locale)("movements.lostAnswer");
  const request = { type: "REVERSAL", reverses: movementId, reason } as const;
  return receiptOf(await postOutcome(ctx, request, undefined), "REVERSAL", ctx.actor).movement;
}

/** Voids what is left of a hold and reverses its captures, but not a lost extension (`lostKey`): it moved nothing. */
async function undoHold(ctx: PostingContext, holdId: string, lostKey?: string): Promise<LostResult> {
  assertScope(ctx, [SCOPES.REDEEM]);
  const read = () => findHold(ctx.db, ctx.reach, holdId, ctx.clock());
  const hold = await read();
  const { actor } = ctx;
  const isOwn = hold.keyId === null ? hold.actor.id === userOf(actor) : hold.keyId === keyOf(actor);
  const isOpener = lostKey === undefined || (isOwn && hold.key === lostKey);
  if (!isOpener && hold.state !== "voided") throw new DomainError("not_reversible");
  if (hold.state === "open") {
    const at = { customer: hold.customer.id, branch: hold.branch.id };
    const request = { type: "REDEEM", holdCall: "undo", hold: holdId, ...at } as const;
    const outcome = await postOutcome(ctx, request, undefined);
    // It may have ended meanwhile: then its captures are undone.
    if (outcome.outcome === "held") await updatePasses(ctx.db, ctx, [hold.customer.id]);
    else if (outcome.outcome !== "hold_closed") throw refusalOf(outcome, "REDEEM", ctx.actor);
  }
  const captures = await ctx.db.movement.findMany({
    where: { holdId },
    orderBy: { seq: "desc" },
    select: { id: true },
  });
  let movement: Movement | null = null;
  if (isOpener) for (const { id } of captures) movement = await undo(ctx, id);
  return { result: movement ? "reversed" : "voided", movement, hold: holdShownTo(actor, await read()) };
}

/**
 * Undoes a request of the actor whose answer was lost: by its idempotency key, or by the bill number and type of what it
 * posted. Reverses what was posted in the last 24 hours, whatever came after it on the card, and voids a hold; a repeat
 * answers the same. A key that posted nothing gets a tombstone, and its request, when it arrives, posts nothing.
 */
export const reverseLost = operation({
  permission: "money.topUp",
  // Its own rule asks for the scope of what is undone.
  keyScope: "any",
  input: reverseLostSchema,
  errors: [
    "movement_not_found",
    "hold_not_found",
    "hold_closed",
    "ambiguous",
    ...REVERSAL_REFUSALS,
    ...KEY_REFUSALS,
  ],
  run: async (ctx, { lostKey, saleRef, type = "REDEEM" }): Promise<LostResult> => {
    const reversed = async (movementId: string): Promise<LostResult> => ({
      result: "reversed",
      movement: await undo(ctx, movementId),
      hold: null,
    });
    if (lostKey === undefined) {
      const id = await postedForSale(ctx, saleRef ?? "", type);
      return type === "HOLD" ? undoHold(ctx, id) : reversed(id);
    }
    const { movement, hold } = await givenUp(ctx, lostKey);
    if (hold) return undoHold(ctx, hold, lostKey);
    return movement === null ? { result: "tombstone", movement: null, hold: null } : reversed(movement);
  },
});
