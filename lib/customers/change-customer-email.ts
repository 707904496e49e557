import { askEmailChange, pendingEmail, stopEmailChange, stopUrl } from "@/lib/cards/email-changes";
import type { Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { authorize } from "@/lib/domain/actor";
import { maskEmail } from "@/lib/domain/contact";
import { DomainError } from "@/lib/domain/errors";
import { type MerchantNames, merchantName } from "@/lib/domain/merchant-name";
import { localeOr } from "@/lib/domain/roles";
import { queueEmail } from "@/lib/email/queue";
import { operation } from "@/lib/operations/operation";
import { customerWhere } from "./customer";
import { emailBefore } from "./edit-customer";
import {
  type ChangeCustomerEmail,
  type CustomerEmails,
  changeCustomerEmailSchema,
  customerIdSchema,
} from "./model/customers";

type Found = {
  id: string;
  merchantId: string;
  email: string | null;
  fullName: string;
  locale: string;
} & MerchantNames;

/** A customer within the caller's reach who has a card. Throws customer_not_found, customer_erased. */
async function findCustomer(ctx: Context, customerId: string): Promise<Found & { email: string }> {
  const reach = authorize(ctx.actor, "customers.edit");
  const [row] = await ctx.db.$queryRaw<Found[]>`
    select c.id::text as id, c.merchant_id::text as "merchantId", c.email, c.full_name as "fullName", c.locale,
      m.business_name as "businessName", m.business_name_ar as "businessNameAr"
    from customers c join merchants m on m.id = c.merchant_id where ${customerWhere(reach, customerId)}`;
  if (!row) throw new DomainError("customer_not_found");
  if (row.email === null) throw new DomainError("customer_erased");
  return { ...row, email: row.email };
}

/** The e-mails of a customer's card. Throws customer_not_found, customer_erased. */
export const customerEmails = operation({
  permission: "customers.edit",
  input: customerIdSchema,
  readOnly: true,
  run: async (ctx, input): Promise<CustomerEmails> => {
    const { id, email } = await findCustomer(ctx, input.customerId);
    const rows = await ctx.db.cardEmail.findMany({
      where: { customerId: id, email: { not: email } },
      orderBy: { fromAt: "desc" },
      select: { email: true },
    });
    const [then] = await ctx.db.$queryRaw<{ email: string | null }[]>`
    select ${emailBefore(ctx.clock())} as email from customers c where c.id = ${id}::uuid`;
    return {
      pending: await pendingEmail(ctx.db, id),
      earlier: [...new Set(rows.map((row) => row.email))],
      codeEmail: then?.email ?? email,
    };
  },
});

/** Mails what will change: to both addresses for a return, else to the present one, with a link that stops it. */
async function report(
  tx: Tx,
  customer: Found & { email: string },
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
    const customer = await findCustomer(ctx, input.customerId);
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
    const { id: customerId, merchantId } = await findCustomer(ctx, input.customerId);
    const stopped = await ctx.db.$transaction((tx) => stopEmailChange(tx, ctx, { customerId, merchantId }));
    if (!stopped) throw new DomainError("conflict");
    return { stopped: true };
  },
});
