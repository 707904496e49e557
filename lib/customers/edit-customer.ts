import { auditAll, auditCustomer } from "@/lib/audit/audit";
import { askEmailChange, pendingEmail, stopOrRefuse } from "@/lib/cards/email-changes";
import { type CodeTarget, mailCode, spendCode } from "@/lib/codes/codes";
import type { Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import type { Reach } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { merchantName } from "@/lib/domain/localized-names";
import { localeOr } from "@/lib/domain/roles";
import { notifyPass } from "@/lib/jobs/add-job";
import { operation } from "@/lib/operations/operation";
import { andOwn, customerProfile, customerWhere, staffCard } from "./customer";
import {
  blockCustomersSchema,
  type CustomerEmails,
  type CustomerStatus,
  changeCustomerEmailSchema,
  customerIdSchema,
  type EditCustomer,
  editCustomerSchema,
  unfreezeCustomerSchema,
} from "./model/customers";
import type { CustomerProfile } from "./names";

type Details = {
  fullName: string;
  phone: string | null;
  dateOfBirth: string | null;
  status: CustomerStatus;
};
type Changed = { id: string; merchantId: string; before: Details; after: Details };

const details = (of: "before" | "c"): Prisma.Sql => {
  const row = Prisma.raw(of);
  return Prisma.sql`jsonb_build_object('fullName', ${row}.full_name, 'phone', ${row}.phone,
    'dateOfBirth', ${row}.date_of_birth, 'status', ${row}.status)`;
};

/** Edits a customer's details, and blocks or unblocks the card. A change is audited. Only a mailed code unfreezes a card. */
export const editCustomer = operation({
  permission: "customers.edit",
  input: editCustomerSchema,
  errors: ["customer_not_found", "customer_frozen", "customer_erased"],
  run: async (ctx, input): Promise<CustomerProfile> => {
    const id = await ctx.db.$transaction(async (tx) => {
      const changed = await applyEdit(tx, ctx.reach, input);
      if (!changed) throw await editError(tx, ctx.reach, input.customerId);
      const { before, after } = changed;
      if (JSON.stringify(before) === JSON.stringify(after)) return changed.id;
      const action = before.status === after.status ? "customer.edit" : (`customer.${after.status}` as const);
      await auditCustomer(tx, ctx, changed, { action, before, after });
      if (before.fullName !== after.fullName) await notifyPass(tx, ctx, "customer_renamed", changed.id);
      return changed.id;
    });
    return customerProfile(ctx, { customerId: id });
  },
});

/** Locks the card before reading it: otherwise two concurrent edits would both audit the same change. */
async function applyEdit(tx: Tx, reach: Reach, input: EditCustomer): Promise<Changed | undefined> {
  const { fullName = null, phone = null, dateOfBirth = null, status = null } = input;
  const [row] = await tx.$queryRaw<Changed[]>`
    with before as (select * from customers c where ${customerWhere(reach, input.customerId)} for no key update)
    update customers c set
      full_name = coalesce(${fullName}, c.full_name),
      phone = coalesce(${phone}, c.phone),
      date_of_birth = coalesce(${dateOfBirth}::date, c.date_of_birth),
      status = coalesce(${status}::"CustomerStatus", c.status),
      updated_at = clock_timestamp()
    from before
    where c.id = before.id
      and (c.status in ('active', 'blocked') or (c.status = 'frozen' and ${status}::text is null))
    returning c.id::text as id, c.merchant_id::text as "merchantId",
      ${details("before")} as before, ${details("c")} as after`;
  return row;
}

async function editError(tx: Tx, reach: Reach, customerId: string): Promise<DomainError> {
  const [row] = await tx.$queryRaw<{ status: CustomerStatus }[]>`
    select c.status::text as status from customers c where ${customerWhere(reach, customerId)}`;
  if (!row) return new DomainError("customer_not_found");
  return new DomainError(row.status === "erased" ? "customer_erased" : "customer_frozen");
}

/** A frozen card, with the address that gets its code. Throws customer_not_found, or conflict when it is not frozen. */
async function frozenCard(ctx: Context, customerId: string) {
  const card = await staffCard(ctx, customerId);
  if (card.status !== "frozen" || card.codeEmail === null) throw new DomainError("conflict");
  const target: CodeTarget = { purpose: "unfreeze", email: card.codeEmail, customerId: card.id };
  return { ...card, target };
}

/** Mails the code to the address of 72 hours ago. Throws customer_not_found, conflict, rate_limited. */
export const sendUnfreezeCode = operation({
  permission: "customers.edit",
  input: customerIdSchema,
  run: async (ctx, input): Promise<{ seconds: number }> => {
    const { target, merchantId, ...card } = await frozenCard(ctx, input.customerId);
    const locale = localeOr(card.locale);
    return mailCode(ctx, target, { merchant: merchantName(card, locale), locale, shop: merchantId });
  },
});

/** Unfreezes a card by the mailed code. Throws customer_not_found, conflict (not frozen), code_invalid, code_expired. */
export const unfreezeCustomer = operation({
  permission: "customers.edit",
  input: unfreezeCustomerSchema,
  run: async (ctx, input): Promise<CustomerProfile> => {
    const { target, ...card } = await frozenCard(ctx, input.customerId);
    await spendCode(ctx.db, target, input.code, ctx.clock());
    await ctx.db.$transaction(async (tx) => {
      const { count } = await tx.customer.updateMany({
        where: { id: card.id, status: "frozen" },
        data: { status: "active" },
      });
      if (count === 0) throw new DomainError("conflict");
      const change = { before: { status: "frozen" }, after: { status: "active" } };
      await auditCustomer(tx, ctx, card, { action: "customer.unfreeze", ...change });
    });
    return customerProfile(ctx, { customerId: card.id });
  },
});

/** Blocks or unblocks up to 100 cards, none if one is out of reach. `left`: frozen, erased, or so already. */
export const blockCustomers = operation({
  permission: "customers.edit",
  input: blockCustomersSchema,
  errors: ["customer_not_found"],
  run: async (ctx, input): Promise<{ changed: number; left: number }> => {
    const { status, reason } = input;
    const ids = [...new Set(input.customerIds)];
    const before = status === "blocked" ? "active" : "blocked";
    return await ctx.db.$transaction(async (tx) => {
      // Locks cards in the order of postings, to avoid deadlocks.
      const changed = await tx.$queryRaw<{ id: string; merchantId: string }[]>`
      with locked as (
        select c.id from customers c where ${within(ctx.reach, ids)} order by c.id for no key update
      )
      update customers c set status = ${status}::"CustomerStatus", updated_at = clock_timestamp()
      from locked where c.id = locked.id and c.status = ${before}::"CustomerStatus"
      returning c.id::text as id, c.merchant_id::text as "merchantId"`;
      const cards = changed.length < ids.length ? await countCards(tx, ctx.reach, ids) : changed.length;
      await auditAll(
        tx,
        ctx,
        changed.map(({ id, merchantId }) => ({
          merchantId,
          action: `customer.${status}` as const,
          entity: "customer" as const,
          entityId: id,
          before: { status: before },
          after: { status, reason },
        })),
      );
      return { changed: changed.length, left: cards - changed.length };
    });
  },
});

const within = (reach: Reach, ids: readonly string[]): Prisma.Sql =>
  Prisma.sql`(c.id = any(${ids}::uuid[]) or c.public_id = any(${ids}::uuid[])) ${andOwn(reach)}`;

/** The number of cards that these ids name, by either id. Throws customer_not_found if one is not within reach. */
async function countCards(tx: Tx, reach: Reach, ids: readonly string[]): Promise<number> {
  const cards = await tx.$queryRaw<{ id: string; publicId: string }[]>`
    select c.id::text as id, c.public_id::text as "publicId" from customers c where ${within(reach, ids)}`;
  const known = new Set(cards.flatMap(({ id, publicId }) => [id, publicId]));
  if (ids.some((id) => !known.has(id))) throw new DomainError("customer_not_found");
  return cards.length;
}

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
 * Changes a card's e-mail with the customer before the caller: to an earlier address after 24 hours, to a new one after 72.
 * Throws customer_not_found, customer_erased, no_change, email_taken, email_change_pending, conflict if another came first.
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
