import { askEmailChange, pendingEmail, stopEmailChange, stopUrl } from "@/lib/cards/email-changes";
import type { Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { maskEmail } from "@/lib/domain/contact";
import { DomainError } from "@/lib/domain/errors";
import { merchantName } from "@/lib/domain/merchant-name";
import { localeOr } from "@/lib/domain/roles";
import { queueEmail } from "@/lib/email/queue";
import { operation } from "@/lib/operations/operation";
import { staffCard } from "./customer";
import {
  type ChangeCustomerEmail,
  type CustomerEmails,
  changeCustomerEmailSchema,
  customerIdSchema,
} from "./model/customers";

/** A card that is not erased. Throws customer_not_found, customer_erased. */
async function keptCard(ctx: Context, customerId: string) {
  const { email, ...card } = await staffCard(ctx, customerId);
  if (email === null) throw new DomainError("customer_erased");
  return { ...card, email };
}

/** The e-mails of a customer's card. Throws customer_not_found, customer_erased. */
export const customerEmails = operation({
  permission: "customers.edit",
  input: customerIdSchema,
  readOnly: true,
  run: async (ctx, input): Promise<CustomerEmails> => {
    const { id, email, codeEmail } = await keptCard(ctx, input.customerId);
    const rows = await ctx.db.cardEmail.findMany({
      where: { customerId: id, email: { not: email } },
      orderBy: { fromAt: "desc" },
      select: { email: true },
    });
    return {
      pending: await pendingEmail(ctx.db, id),
      earlier: [...new Set(rows.map((row) => row.email))],
      codeEmail: codeEmail ?? email,
    };
  },
});

/** Mails what will change: to both addresses for a return, else to the present one, with a link that stops it. */
async function report(
  tx: Tx,
  customer: Awaited<ReturnType<typeof keptCard>>,
  input: ChangeCustomerEmail,
  change: { id: string; dueAt: Date; restores: boolean },
): Promise<void> {
  const locale = localeOr(customer.locale);
  const params = {
    name: customer.fullName,
    merchant: merchantName(customer, locale),
    email: maskEmail(input.email),
    by: "staff" as const,
    at: change.dueAt,
    reason: input.reason,
    ...(change.restores ? {} : { stopUrl: stopUrl(change.id) }),
  };
  // Without the customer's id, so that the warning is sent even if the card is deleted in the meantime.
  const mail = { template: "email_change_asked", params, locale, shop: customer.merchantId } as const;
  for (const to of change.restores ? [customer.email, input.email] : [customer.email]) {
    await queueEmail(tx, { ...mail, to });
  }
}

/**
 * Changes a card's e-mail with the customer before the caller and a reason: to an address that the card had before after
 * 24 hours, to a new one after 72 hours. Throws customer_not_found, customer_erased, no_change, email_taken,
 * email_change_pending, and conflict when another change came first.
 */
export const changeCustomerEmail = operation({
  permission: "customers.edit",
  input: changeCustomerEmailSchema,
  stepUp: true,
  run: async (ctx, input): Promise<{ dueAt: Date; restores: boolean }> => {
    const customer = await keptCard(ctx, input.customerId);
    const { id: customerId, merchantId, email: oldEmail } = customer;
    if (oldEmail === input.email) throw new DomainError("no_change");
    const known = await ctx.db.cardEmail.count({ where: { customerId, email: input.email } });
    const restores = known > 0;
    return ctx.db.$transaction(async (tx) => {
      const kind = restores ? "restore" : "staff";
      const { reason, email: newEmail } = input;
      const change = await askEmailChange(tx, ctx, {
        customerId,
        merchantId,
        oldEmail,
        newEmail,
        kind,
        reason,
      });
      await report(tx, customer, input, { ...change, restores });
      return { dueAt: change.dueAt, restores };
    });
  },
});

/** Stops the change of a card's e-mail that waits. Throws customer_not_found, and conflict when none waits any more. */
export const stopCustomerEmail = operation({
  permission: "customers.edit",
  input: customerIdSchema,
  run: async (ctx, input): Promise<{ stopped: true }> => {
    const { id: customerId, merchantId } = await keptCard(ctx, input.customerId);
    const stopped = await ctx.db.$transaction((tx) => stopEmailChange(tx, ctx, { customerId, merchantId }));
    if (!stopped) throw new DomainError("conflict");
    return { stopped: true };
  },
});
