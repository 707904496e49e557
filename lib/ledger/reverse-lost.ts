import { audit } from "@/lib/audit/audit";
import type { Context } from "@/lib/db/context";
import type { Reach, StaffActor } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import type { KeyScope } from "@/lib/domain/key-scopes";
import { translator } from "@/lib/i18n/translate";
import { operation } from "@/lib/operations/operation";
import { type LostResult, type MovementType, type ReverseLost, reverseLostSchema } from "./model/movements";
import { KEY_REFUSALS, REVERSAL_REFUSALS } from "./move-points";
import { postRequest } from "./post-request";

const DAY = 24 * 3_600_000;

/** The scopes that an API key needs to undo what it posted. */
const SCOPES: Partial<Record<MovementType, KeyScope>> = {
  TOP_UP: "topup",
  BONUS: "bonus",
  REDEEM: "redeem",
  REFUND: "refund",
};

type Asked = Context<StaffActor> & { reach: Reach };

/** Throws forbidden for an API key that has none of the scopes. */
function assertScope({ actor }: Asked, scopes: (KeyScope | undefined)[]): void {
  if (actor.type === "apiKey" && !actor.scopes.some((scope) => scopes.includes(scope))) {
    throw new DomainError("forbidden");
  }
}

const userOf = (actor: StaffActor): string | null => (actor.type === "user" ? actor.userId : null);
const keyOf = (actor: StaffActor): string | null => (actor.type === "apiKey" ? actor.keyId : null);

/** The movement that the actor posted under this idempotency key; null when a tombstone keeps it from being posted. */
async function givenUp(ctx: Asked, idempotencyKey: string): Promise<string | null> {
  assertScope(ctx, Object.values(SCOPES));
  const { actor } = ctx;
  return ctx.db.$transaction(async (tx) => {
    const [key] = await tx.$queryRaw<{ movement: string | null; isNew: boolean }[]>`
      select movement::text as movement, is_new as "isNew"
      from give_up_key(${userOf(actor)}::uuid, ${keyOf(actor)}::uuid, ${idempotencyKey})`;
    if (key?.isNew) {
      const { merchantId } = actor;
      const about = merchantId
        ? ({ entity: "merchant", entityId: merchantId } as const)
        : ({ entity: "platform" } as const);
      await audit(tx, ctx, {
        merchantId,
        action: "posting.given_up",
        ...about,
        after: { idempotencyKey },
      });
    }
    return key?.movement ?? null;
  });
}

/** The one movement of this type that the actor posted for the sale in the last 24 hours. */
async function postedForSale(ctx: Asked, saleRef: string, type: MovementType): Promise<string> {
  assertScope(ctx, [SCOPES[type]]);
  const { actor } = ctx;
  const since = new Date(ctx.clock().getTime() - DAY);
  const found = await ctx.db.$queryRaw<{ id: string }[]>`
    select m.id::text as id from movements m
    where (m.actor_id = ${userOf(actor)}::uuid or m.api_key_id = ${keyOf(actor)}::uuid)
      and m.type = ${type}::"MovementType" and m.created_at > ${since} and m.sale_ref = ${saleRef}
    order by m.created_at, m.id limit 20`;
  const [one] = found;
  if (!one) throw new DomainError("movement_not_found");
  if (found.length > 1) throw new DomainError("ambiguous", { ids: found.map(({ id }) => id).join(" ") });
  return one.id;
}

/** Posts the opposite of what the actor posted, or answers the reversal that stands. */
async function undo(ctx: Asked, movementId: string): Promise<LostResult> {
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
  const { movement } = await postRequest(ctx, "money.topUp", request, undefined);
  return { result: "reversed", movement };
}

/**
 * Undoes a request of the actor whose answer was lost: by its idempotency key, or by the bill number and type of what it
 * posted. Reverses what was posted in the last 24 hours, whatever came after it on the card; a repeat answers the same
 * reversal. A key that posted nothing gets a tombstone, and its request, when it arrives, posts nothing. Throws
 * movement_not_found, ambiguous (several have the bill number), undo_expired, already_spent, refunded, value_lowered,
 * other_till, not_reversible, forbidden, merchant_unavailable, customer_blocked / _frozen / _erased, unavailable.
 */
export const reverseLost = operation({
  permission: "money.topUp",
  // Its own rule asks for the scope of what is undone.
  keyScope: "any",
  input: reverseLostSchema,
  errors: ["movement_not_found", "ambiguous", ...REVERSAL_REFUSALS, ...KEY_REFUSALS],
  run: (ctx, input): Promise<LostResult> => resultOf(ctx, input),
});

async function resultOf(ctx: Asked, { lostKey, saleRef, type }: ReverseLost): Promise<LostResult> {
  if (lostKey === undefined) return undo(ctx, await postedForSale(ctx, saleRef ?? "", type ?? "REDEEM"));
  const movementId = await givenUp(ctx, lostKey);
  return movementId === null ? { result: "tombstone", movement: null } : undo(ctx, movementId);
}
