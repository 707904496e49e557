import { audit } from "@/lib/audit/audit";
import { type CodeTarget, spendCode, spendKeptCode } from "@/lib/codes/codes";
import type { Db, Tx } from "@/lib/db/client";
import type { HolderContext } from "@/lib/db/context";
import { mapUniqueViolation } from "@/lib/db/query";
import { maskEmail } from "@/lib/domain/contact";
import { DomainError } from "@/lib/domain/errors";
import { type MerchantNames, merchantName } from "@/lib/domain/merchant-name";
import { localeOr } from "@/lib/domain/roles";
import { queueEmail, readdressReceipts } from "@/lib/email/queue";
import { operation } from "@/lib/operations/operation";
import { type CardForCode, cardForCode, holderOfExistingCard, oldAddressTarget } from "./card-code";
import { askEmailChange, stopEmailChange, stopUrl } from "./email-changes";
import { freezeUrl } from "./freeze-card";
import { type ChangeEmail, cardSchema, changeEmailSchema } from "./model/card-holder";
import { STOPPED_BY_HOLDER } from "./model/email-change";

/**
 * Mails the replaced address that the card has another one, with a link that freezes the card. Its receipts that still
 * wait go to the new one.
 */
export async function reportEmailChange(
  tx: Tx,
  card: Pick<CardForCode, "id" | "merchantId" | "email" | "fullName" | keyof MerchantNames | "locale">,
  email: string,
  at: Date,
): Promise<void> {
  await readdressReceipts(tx, card.id, email);
  const locale = localeOr(card.locale);
  // Without the customer's id, so that the warning is sent even if the card is deleted in the meantime.
  await queueEmail(tx, {
    to: card.email,
    template: "email_changed",
    shop: card.merchantId,
    params: {
      name: card.fullName,
      merchant: merchantName(card, locale),
      email: maskEmail(email),
      at,
      notMeUrl: freezeUrl(card.id, at),
    },
    locale,
  });
}

/** Checks a code without spending it. A refusal names the field with the wrong one of the two. */
async function checkCode(db: Db, target: CodeTarget, code: string, now: Date, path: string): Promise<string> {
  try {
    return (await spendCode(db, target, code, now, { keep: true })).id;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new DomainError(error.code, {}, [{ path, message: `errors.${error.code}` }]);
  }
}

/** The result of a change: the card's e-mail now, or, if it waits, when it is applied. */
export type ChangedEmail = { email: string; dueAt: Date | null };

/**
 * Changes the card's e-mail with two codes: the one mailed to the new address and the one mailed to the present address.
 * Removes the holder's other devices. Without the second code (the mailbox is lost) the change waits 72 hours, and the
 * present address is mailed a link that stops it. Throws card_holder_required, code_invalid and code_expired (naming the
 * field), customer_frozen, email_taken when the address has a card with this merchant, email_change_pending when a change
 * waits already, and conflict when another change came first.
 */
export const changeEmail = operation({
  permission: "card.own",
  input: changeEmailSchema,
  actorFrom: holderOfExistingCard,
  run: async (ctx, input): Promise<ChangedEmail> => {
    const card = await cardForCode(ctx, ctx.reach.customerId);
    if (card.status === "frozen") throw new DomainError("customer_frozen");
    if (card.email === input.email) throw new DomainError("no_change");
    const now = ctx.clock();
    const target = { purpose: "change_email" as const, email: input.email, customerId: card.id };
    const codes = [await checkCode(ctx.db, target, input.code, now, "code")];
    if (input.oldCode !== undefined) {
      codes.push(await checkCode(ctx.db, oldAddressTarget(ctx, card), input.oldCode, now, "oldCode"));
    }
    return mapUniqueViolation("email_taken", "email", () =>
      ctx.db.$transaction(async (tx) => {
        for (const id of codes) await spendKeptCode(tx, id, now);
        if (input.oldCode === undefined)
          return { email: card.email, dueAt: await wait(tx, ctx, card, input) };
        await changeNow(tx, ctx, card, input.email);
        return { email: input.email, dueAt: null };
      }),
    );
  },
});

async function changeNow(tx: Tx, ctx: HolderContext, card: CardForCode, email: string): Promise<void> {
  const { id } = card;
  const { deviceId, merchantId } = ctx.actor;
  const { count } = await tx.customer.updateMany({
    where: { id, email: card.email, status: { notIn: ["erased", "frozen"] } },
    data: { email },
  });
  if (count === 0) throw new DomainError("conflict");
  // Access to the mailbox decides, so another pending change is void.
  await stopEmailChange(tx, ctx, { customerId: id, merchantId });
  await reportEmailChange(tx, card, email, ctx.clock());
  await tx.cardDevice.deleteMany({
    where: { customerId: id, ...(deviceId ? { id: { not: deviceId } } : {}) },
  });
  await audit(tx, ctx, {
    merchantId,
    action: "customer.email",
    entity: "customer",
    entityId: id,
    before: { email: card.email },
    after: { email },
  });
}

async function wait(tx: Tx, ctx: HolderContext, card: CardForCode, { email }: ChangeEmail): Promise<Date> {
  const { deviceId, merchantId } = ctx.actor;
  const change = { customerId: card.id, merchantId, oldEmail: card.email, newEmail: email, deviceId };
  const { id, dueAt } = await askEmailChange(tx, ctx, { ...change, kind: "holder" });
  const locale = localeOr(card.locale);
  // Without the customer's id, as in reportEmailChange.
  await queueEmail(tx, {
    to: card.email,
    template: "email_change_asked",
    shop: merchantId,
    params: {
      name: card.fullName,
      merchant: merchantName(card, locale),
      email: maskEmail(email),
      by: "holder",
      at: dueAt,
      stopUrl: stopUrl(id),
    },
    locale,
  });
  return dueAt;
}

/**
 * Stops the change of the card's e-mail that waits. The holder cannot stop the return to an earlier address by staff.
 * Throws card_holder_required, and conflict when none waits any more.
 */
export const cancelEmailChange = operation({
  permission: "card.own",
  input: cardSchema,
  actorFrom: holderOfExistingCard,
  run: async (ctx): Promise<{ stopped: true }> => {
    const { customerId } = ctx.reach;
    const { merchantId } = ctx.actor;
    const stopped = await ctx.db.$transaction((tx) =>
      stopEmailChange(tx, ctx, { customerId, merchantId, kinds: STOPPED_BY_HOLDER }),
    );
    if (!stopped) throw new DomainError("conflict");
    return { stopped: true };
  },
});
