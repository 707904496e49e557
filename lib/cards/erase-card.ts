import { randomUUID } from "node:crypto";
import { auditCustomer, eraseAuditTexts } from "@/lib/audit/audit";
import { spendCode } from "@/lib/codes/codes";
import type { Db, Tx } from "@/lib/db/client";
import { givenTime, type HolderContext } from "@/lib/db/context";
import { DomainError } from "@/lib/domain/errors";
import { notifyPass } from "@/lib/jobs/add-job";
import { postBatch } from "@/lib/ledger/batch";
import { pocketsOf, reservedOf } from "@/lib/ledger/pockets";
import { operation } from "@/lib/operations/operation";
import { hashSecret } from "@/lib/secrets/secrets";
import { cardForCode, cardTarget, holderOfExistingCard } from "./card-code";
import { assertNotGivenBack } from "./email-changes";
import { eraseCustomerSchema } from "./model/card-holder";

/** The reason on a given-up balance's movement: no personal data. Movements have it, so it must not change. */
export const GIVEN_UP_REASON = "Given up by the customer, who deleted the card";

/** Posts the given-up points as an ADJUSTMENT at no branch, so that the balance stays the sum of its movements. */
async function giveUp(tx: Tx, ctx: HolderContext, points: number): Promise<void> {
  const { customerId, merchantId } = ctx.actor;
  // A new key, since the code is spent only once and the posting is therefore never repeated.
  const key = randomUUID();
  const posting = {
    type: "ADJUSTMENT",
    customer: customerId,
    actorType: "card_holder",
    scope: "merchant",
    scopeMerchant: merchantId,
    points: -points,
    reason: GIVEN_UP_REASON,
    key,
    hash: hashSecret(`erase:${customerId}:${points}`),
    at: givenTime(ctx),
  } as const;
  const [outcome] = await postBatch(tx, [posting], { quiet: true });
  if (outcome?.outcome !== "posted") throw new DomainError("balance_not_given_up");
}

/** Throws email_change_pending, has_holds, and balance_not_given_up unless these are all points that the holder can spend. */
async function assertErasable(db: Db | Tx, customerId: string, points: number, now: Date): Promise<void> {
  await assertNotGivenBack(db, customerId);
  if ((await reservedOf(db, customerId, now)).length > 0) throw new DomainError("has_holds");
  const { paid, bonus } = await pocketsOf(db, customerId, now);
  if (paid + bonus !== points) throw new DomainError("balance_not_given_up");
}

/** Deletes all personal data of the holder. The movements stay, without a name; the database has taken their free texts. */
async function erasePersonalData(
  tx: Tx,
  ctx: HolderContext,
  email: string,
  addresses: string[],
): Promise<void> {
  const { customerId, merchantId } = ctx.actor;
  await tx.cardDevice.deleteMany({ where: { customerId } });
  await tx.code.deleteMany({ where: { OR: [{ customerId }, { email, purpose: "register" }] } });
  await tx.verification.deleteMany({ where: { email } });
  // E-mails of other cards with the same address that are still to be sent stay.
  const delivered = { recipient: { in: addresses }, status: { in: ["sent" as const, "failed" as const] } };
  await tx.email.deleteMany({ where: { OR: [{ customerId }, delivered] } });
  await auditCustomer(tx, ctx, { id: customerId, merchantId }, { action: "customer.erased" });
  // Last, so that the entry of the deletion does not keep the holder's address and device either.
  await eraseAuditTexts(tx, customerId);
}

/**
 * Deletes a card with the mailed code. Throws balance_not_given_up unless `giveUp` is what can be spent, and customer_frozen or
 * email_change_pending: whoever froze the card, or is given it back, may have lost its mailbox to another.
 */
export const eraseCustomer = operation({
  permission: "card.own",
  input: eraseCustomerSchema,
  actorFrom: holderOfExistingCard,
  run: async (ctx, input): Promise<{ customerId: string }> => {
    const card = await cardForCode(ctx, ctx.reach.customerId);
    const { id, email } = card;
    if (card.status === "frozen") throw new DomainError("customer_frozen");
    const points = input.giveUp ?? 0;
    const now = ctx.clock();
    // Early errors, before the code is spent. Below they are decided.
    await assertErasable(ctx.db, id, points, now);
    await spendCode(ctx.db, cardTarget(ctx, card, "erase"), input.code, now);
    await ctx.db.$transaction(async (tx) => {
      // The customer cannot give up an expired bonus, so its EXPIRY is posted first.
      await tx.$queryRaw`select expire_bonus_of(${id}::uuid, true, ${now}::timestamptz)`;
      // It has ended what is over, and holds the card.
      await assertErasable(tx, id, points, now);
      // While the merchant is suspended nothing expires, so that what has ended is still in the balance and goes with it.
      const { balance } = await tx.customer.findUniqueOrThrow({ where: { id }, select: { balance: true } });
      if (balance > 0) await giveUp(tx, ctx, balance);
      // The database forgets them when the customer becomes erased.
      const addresses = await tx.cardEmail.findMany({ where: { customerId: id }, select: { email: true } });
      const { count } = await tx.customer.updateMany({
        where: { id, balance: 0, email, status: { notIn: ["erased", "frozen"] } },
        data: { status: "erased", erasedAt: now, fullName: "–", email: null, phone: null, dateOfBirth: null },
      });
      if (count === 0) throw new DomainError("balance_not_given_up");
      await erasePersonalData(tx, ctx, email, [email, ...addresses.map((one) => one.email)]);
      const voided = await tx.$executeRaw`
        update passes set voided_at = ${now}::timestamptz,
          changed_at = greatest(date_trunc('milliseconds', now()), changed_at + interval '1 second')
        where customer_id = ${id}::uuid and voided_at is null`;
      if (voided > 0) await notifyPass(tx, ctx, "customer_erased", id);
    });
    return { customerId: id };
  },
});
