import { auditCustomer } from "@/lib/audit/audit";
import { type CodeTarget, mailCode, spendCode } from "@/lib/codes/codes";
import type { Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import type { Reach } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { merchantName } from "@/lib/domain/merchant-name";
import { localeOr } from "@/lib/domain/roles";
import { notifyPass } from "@/lib/jobs/add-job";
import { operation } from "@/lib/operations/operation";
import { customerProfile, customerWhere, staffCard } from "./customer";
import {
  type CustomerProfile,
  type CustomerStatus,
  customerIdSchema,
  type EditCustomer,
  editCustomerSchema,
  unfreezeCustomerSchema,
} from "./model/customers";

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

/**
 * Edits a customer's details, and blocks or unblocks the card. A change is audited.
 * Throws customer_not_found, customer_erased, and customer_frozen for a change of status, since only a code mailed to
 * the holder unfreezes a card.
 */
export const editCustomer = operation({
  permission: "customers.edit",
  input: editCustomerSchema,
  errors: ["customer_not_found", "customer_frozen", "customer_erased"],
  run: async (ctx, input): Promise<CustomerProfile> => {
    const reach = ctx.reach;
    const id = await ctx.db.$transaction(async (tx) => {
      const changed = await applyEdit(tx, reach, input);
      if (!changed) throw await editError(tx, reach, input.customerId);
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

/**
 * Mails the code that unfreezes a card to the address that it had 72 hours ago. Answers how long the code is valid, in
 * seconds. Throws customer_not_found, conflict when the card is not frozen, rate_limited.
 */
export const sendUnfreezeCode = operation({
  permission: "customers.edit",
  input: customerIdSchema,
  run: async (ctx, input): Promise<{ seconds: number }> => {
    const { target, merchantId, ...card } = await frozenCard(ctx, input.customerId);
    const locale = localeOr(card.locale);
    return mailCode(ctx, target, { merchant: merchantName(card, locale), locale, shop: merchantId });
  },
});

/**
 * Unfreezes a card with the code mailed to its holder. Throws customer_not_found, conflict when the card is not frozen,
 * code_invalid, code_expired.
 */
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
