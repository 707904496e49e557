import { type AuditContext, auditCustomer } from "@/lib/audit/audit";
import { checkCode, spendKeptCode } from "@/lib/codes/codes";
import type { Tx } from "@/lib/db/client";
import type { HolderContext } from "@/lib/db/context";
import { mapUniqueViolation } from "@/lib/db/query";
import { maskEmail } from "@/lib/domain/contact";
import { DomainError } from "@/lib/domain/errors";
import { MERCHANT_NAMES, type MerchantNames, merchantName } from "@/lib/domain/localized-names";
import { localeOr } from "@/lib/domain/roles";
import { queueEmail, readdressReceipts } from "@/lib/email/queue";
import type { Task } from "@/lib/jobs/queue";
import { type ActorFrom, operation } from "@/lib/operations/operation";
import { linkedId } from "@/lib/secrets/secrets";
import { cardForCode, cardTarget, holderOfExistingCard } from "./card-code";
import { askEmailChange, assertNotGivenBack, stopEmailChange, stopOrRefuse } from "./email-changes";
import { freezeUrl } from "./freeze-card";
import type { MailedCard } from "./model/card";
import { cardSchema, changeEmailSchema, linkTokenSchema } from "./model/card-holder";
import { STOPPED_BY_HOLDER } from "./model/email-change";

/**
 * Changes the card's e-mail by codes to the new and the present address, and ends the other devices. Without the second code
 * the change waits 72 hours, and the present address is mailed a link that stops it. A refused code names its field.
 */
export const changeEmail = operation({
  permission: "card.own",
  input: changeEmailSchema,
  actorFrom: holderOfExistingCard,
  run: async (ctx, input): Promise<{ email: string; dueAt: Date | null }> => {
    const card = await cardForCode(ctx, ctx.reach.customerId);
    if (card.status === "frozen") throw new DomainError("customer_frozen");
    if (card.email === input.email) throw new DomainError("no_change");
    const now = ctx.clock();
    const target = { purpose: "change_email" as const, email: input.email, customerId: card.id };
    const codes = [await checkCode(ctx.db, target, input.code, now, "code")];
    if (input.oldCode !== undefined) {
      const oldTarget = cardTarget(ctx, card, "leave_email");
      codes.push(await checkCode(ctx.db, oldTarget, input.oldCode, now, "oldCode"));
    }
    return mapUniqueViolation("email_taken", "email", () =>
      ctx.db.$transaction(async (tx) => {
        for (const id of codes) await spendKeptCode(tx, id, now);
        const change = { email: input.email, kind: "holder", deviceId: ctx.actor.deviceId } as const;
        if (input.oldCode === undefined)
          return { email: card.email, dueAt: await askEmailChange(tx, ctx, card, change) };
        if (!(await replaceEmail(tx, ctx, card, { ...change, at: now }))) throw new DomainError("conflict");
        return { email: input.email, dueAt: null };
      }),
    );
  },
});

/**
 * Gives a card another e-mail, ends its other devices, and mails the replaced address a link that freezes the card. False: it has
 * another e-mail by now, was erased, or was frozen before its holder's change. Throws email_change_pending while staff give it back.
 */
async function replaceEmail(
  tx: Tx,
  ctx: AuditContext,
  card: MailedCard,
  { email, kind, deviceId, at }: { email: string; kind: string; deviceId: string | null; at: Date },
): Promise<boolean> {
  const { id, merchantId } = card;
  const { count } = await tx.customer.updateMany({
    where: {
      id,
      email: card.email,
      status: { notIn: kind === "holder" ? ["erased", "frozen"] : ["erased"] },
    },
    data: { email },
  });
  if (count === 0) return false;
  if (kind === "holder") await assertNotGivenBack(tx, id);
  // Access to the mailbox decides, so another pending change is void.
  await stopEmailChange(tx, ctx, { customerId: id, merchantId });
  // Staff gave the card back: nobody holds it until they prove the address.
  const others = kind === "holder" && deviceId ? { id: { not: deviceId } } : {};
  await tx.cardDevice.deleteMany({ where: { customerId: id, ...others } });
  const values = { before: { email: card.email }, after: { email } };
  await auditCustomer(tx, ctx, card, { action: "customer.email", ...values });
  await readdressReceipts(tx, id, email);
  const locale = localeOr(card.locale);
  const params = {
    name: card.fullName,
    merchant: merchantName(card, locale),
    email: maskEmail(email),
    at,
    notMeUrl: freezeUrl(id, at),
  };
  // Without the customer's id, so that the warning is sent even if the card is deleted in the meantime.
  await queueEmail(tx, { to: card.email, template: "email_changed", shop: merchantId, params, locale });
  return true;
}

/** Stops the change that waits, but no return to an earlier address by staff. Throws conflict when none waits any more. */
export const cancelEmailChange = operation({
  permission: "card.own",
  input: cardSchema,
  actorFrom: holderOfExistingCard,
  run: async (ctx): Promise<{ stopped: true }> => {
    const { customerId, merchantId } = ctx.reach;
    return stopOrRefuse(ctx, { customerId, merchantId, kinds: STOPPED_BY_HOLDER }, "conflict");
  },
});

async function linkedChange(ctx: Pick<HolderContext, "db">, token: string) {
  const row = await ctx.db.emailChange.findUnique({
    where: { id: linkedId("email change", token) },
    select: {
      id: true,
      newEmail: true,
      dueAt: true,
      customer: { select: { id: true, merchantId: true, merchant: { select: MERCHANT_NAMES } } },
    },
  });
  if (!row) throw new DomainError("link_used");
  return row;
}

/** The holder as the actor: anybody who reads the replaced mailbox may use the link. Throws link_invalid, link_used. */
const holderByLink: ActorFrom<{ token: string }> = async (ctx, { token }) => {
  const { customer } = await linkedChange(ctx, token);
  return { type: "cardHolder", customerId: customer.id, merchantId: customer.merchantId, deviceId: null };
};

/** The change that a mailed link stops. It changes nothing, since mail scanners open links. Throws link_invalid, link_used. */
export const stoppableChange = operation({
  permission: "card.stop",
  input: linkTokenSchema,
  readOnly: true,
  actorFrom: holderByLink,
  run: async (ctx, input): Promise<MerchantNames & { email: string; dueAt: Date }> => {
    const { newEmail, dueAt, customer } = await linkedChange(ctx, input.token);
    return { ...customer.merchant, email: maskEmail(newEmail), dueAt };
  },
});

/** Stops a change of the card's e-mail with the link mailed to the present address. Throws link_invalid, link_used. */
export const stopChangeByLink = operation({
  permission: "card.stop",
  input: linkTokenSchema,
  actorFrom: holderByLink,
  run: async (ctx, input): Promise<{ stopped: true }> => {
    const { id } = await linkedChange(ctx, input.token);
    const { customerId, merchantId } = ctx.reach;
    return stopOrRefuse(ctx, { customerId, merchantId, id }, "link_used");
  },
});

const BY = { actor: { type: "system", job: "apply_email_changes" } } as const;

type Due = { id: string; customerId: string; merchantId: string };
type Applied = { oldEmail: string; email: string; kind: string; deviceId: string | null; at: Date };

/** Applies one change, if it still waits, is due, and fits the card. Fails for a taken address. */
async function apply(tx: Tx, { id, customerId }: Due): Promise<void> {
  // Locks the card first, as a freeze does, so that the second of the two sees the changes of the first.
  const [card] = await tx.$queryRaw<Omit<MailedCard, "email">[]>`
    select c.id::text as id, c.full_name as "fullName", c.locale, c.merchant_id::text as "merchantId",
      m.business_name as "businessName", m.business_name_ar as "businessNameAr"
    from customers c join merchants m on m.id = c.merchant_id
    where c.id = ${customerId}::uuid for no key update of c`;
  const [change] = await tx.$queryRaw<Applied[]>`
    delete from email_changes where id = ${id}::uuid and due_at <= now()
    returning old_email as "oldEmail", new_email as email, kind, device_id::text as "deviceId", now() as at`;
  if (!card || !change) return;
  const { oldEmail, email } = change;
  if (await replaceEmail(tx, BY, { ...card, email: oldEmail }, change)) return;
  const stopped = { before: { email }, after: { email: oldEmail } };
  await auditCustomer(tx, BY, card, { action: "customer.email_stopped", ...stopped });
}

/** Runs every minute: applies the changes of cards' e-mails that have waited long enough. */
export const applyEmailChanges: Task = async ({ db }) => {
  const due = await db.$queryRaw<Due[]>`
    select e.id::text as id, e.customer_id::text as "customerId", c.merchant_id::text as "merchantId"
    from email_changes e join customers c on c.id = e.customer_id
    where e.due_at <= now() order by e.due_at limit 1000`;
  for (const change of due) {
    try {
      await mapUniqueViolation("email_taken", "email", () => db.$transaction((tx) => apply(tx, change)));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      // The address got a card with the merchant meanwhile.
      await db.$transaction((tx) => stopEmailChange(tx, BY, change));
    }
  }
};
