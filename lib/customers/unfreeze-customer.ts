import { CODE_SECONDS, type CodeTarget, countSend, issueCode, spendCode } from "@/lib/db/codes";
import type { Context } from "@/lib/db/context";
import { authorize } from "@/lib/domain/actor";
import type { CustomerProfile } from "@/lib/domain/customers";
import { DomainError } from "@/lib/domain/errors";
import { isLocale } from "@/lib/domain/roles";
import type { CustomerId, UnfreezeCustomer } from "@/lib/domain/schemas/customers";
import { queueEmail } from "@/lib/email";
import { customerProfile, customerWhere } from "./customer-profile";

type Frozen = { id: string; merchantId: string; email: string; locale: string; businessName: string };

/** The frozen customer whom the caller may unfreeze. Throws customer_not_found, or conflict when the card is not frozen. */
async function frozenCustomer(ctx: Context, customerId: string): Promise<Frozen> {
  const reach = authorize(ctx.actor, "customers.edit");
  const [row] = await ctx.db.$queryRaw<(Omit<Frozen, "email"> & { email: string | null; status: string })[]>`
    select c.id::text as id, c.merchant_id::text as "merchantId", c.email, c.locale, c.status::text as status,
      m.business_name as "businessName"
    from customers c join merchants m on m.id = c.merchant_id where ${customerWhere(reach, customerId)}`;
  if (!row) throw new DomainError("customer_not_found");
  if (row.status !== "frozen" || row.email === null) throw new DomainError("conflict");
  return { ...row, email: row.email };
}

const targetOf = ({ id, email }: Frozen): CodeTarget => ({ purpose: "unfreeze", email, customerId: id });

/** Mails the holder of a frozen card the code that unfreezes it. Throws as unfreezeCustomer, and rate_limited. */
export async function sendUnfreezeCode(ctx: Context, input: CustomerId): Promise<{ seconds: number }> {
  const customer = await frozenCustomer(ctx, input.customerId);
  const target = targetOf(customer);
  await countSend(ctx.db, target, ctx.address);
  await ctx.db.$transaction(async (tx) => {
    const code = await issueCode(tx, target, ctx.address, ctx.clock());
    await queueEmail(tx, {
      to: customer.email,
      template: "code_unfreeze",
      params: { merchant: customer.businessName, code, minutes: CODE_SECONDS / 60 },
      locale: isLocale(customer.locale) ? customer.locale : "en",
    });
  });
  return { seconds: CODE_SECONDS };
}
sendUnfreezeCode.permission = "customers.edit" as const;

/**
 * Unfreezes a card with the code its holder was mailed. Throws customer_not_found, conflict when the card is not
 * frozen, code_invalid, code_expired.
 */
export async function unfreezeCustomer(ctx: Context, input: UnfreezeCustomer): Promise<CustomerProfile> {
  const customer = await frozenCustomer(ctx, input.customerId);
  await spendCode(ctx.db, targetOf(customer), input.code, ctx.clock());
  await ctx.db.$transaction(async (tx) => {
    const { count } = await tx.customer.updateMany({
      where: { id: customer.id, status: "frozen" },
      data: { status: "active" },
    });
    if (count === 0) throw new DomainError("conflict");
    await tx.audit.create({
      data: {
        actorId: ctx.actor.userId,
        merchantId: customer.merchantId,
        action: "customer.unfreeze",
        entity: "customer",
        entityId: customer.id,
        before: { status: "frozen" },
        after: { status: "active" },
      },
      select: { id: true },
    });
  });
  return customerProfile(ctx, { customerId: customer.id });
}
unfreezeCustomer.permission = "customers.edit" as const;
