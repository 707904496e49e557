import { askEmailChange, pendingEmail, stopOrRefuse } from "@/lib/cards/email-changes";
import type { Context } from "@/lib/db/context";
import { DomainError } from "@/lib/domain/errors";
import { operation } from "@/lib/operations/operation";
import { staffCard } from "./customer";
import { type CustomerEmails, changeCustomerEmailSchema, customerIdSchema } from "./model/customers";

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
    const { reason, email } = input;
    if (customer.email === email) throw new DomainError("no_change");
    const restores = (await ctx.db.cardEmail.count({ where: { customerId: customer.id, email } })) > 0;
    const change = { email, kind: restores ? "restore" : "staff", reason } as const;
    const dueAt = await ctx.db.$transaction((tx) => askEmailChange(tx, ctx, customer, change));
    return { dueAt, restores };
  },
});

/** Stops the change of a card's e-mail that waits. Throws customer_not_found, and conflict when none waits any more. */
export const stopCustomerEmail = operation({
  permission: "customers.edit",
  input: customerIdSchema,
  run: async (ctx, input): Promise<{ stopped: true }> => {
    const { id: customerId, merchantId } = await keptCard(ctx, input.customerId);
    return stopOrRefuse(ctx, { customerId, merchantId }, "conflict");
  },
});
