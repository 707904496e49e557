import type { Context, PublicContext } from "@/lib/db/context";
import type { Prisma } from "@/lib/db/generated/client";
import { authorize, merchantWhere } from "@/lib/domain/actor";
import {
  type MerchantChoice,
  type MerchantsOfCustomer,
  merchantsOfCustomerSchema,
  type ServedCustomer,
} from "@/lib/domain/counter";
import { DomainError } from "@/lib/domain/errors";
import { compareByName } from "@/lib/domain/paging";

export type SignupMerchant = { id: string; businessName: string; imageKey: string | null };

/** The approved merchant whose sign-up link was opened. Throws merchant_unavailable for any other. */
export async function signupMerchant(
  ctx: PublicContext,
  input: { merchantId: string },
): Promise<SignupMerchant> {
  const merchant = await ctx.db.merchant.findFirst({
    where: { id: input.merchantId, status: "approved" },
    select: { id: true, businessName: true, imageKey: true },
  });
  if (!merchant) throw new DomainError("merchant_unavailable");
  return merchant;
}
signupMerchant.permission = "public" as const;

// No counter offers more branches than this to choose from.
const BRANCHES = 200;

/** What the counter reads of a merchant: its name, its image, its open branches in the order they were made. */
export const servingMerchant = {
  id: true,
  businessName: true,
  imageKey: true,
  firstName: true,
  lastName: true,
  branches: {
    where: { archivedAt: null },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    take: BRANCHES,
    select: { id: true, name: true, city: true },
  },
} satisfies Prisma.MerchantSelect;

/** The merchants of the actor's reach at which this e-mail holds a card, each with its open branches; by name. */
export async function merchantsOfCustomer(
  ctx: Context,
  input: MerchantsOfCustomer,
): Promise<ServedCustomer["merchant"][]> {
  const { merchantId } = merchantWhere(authorize(ctx.actor, "customers.find"));
  return ctx.db.merchant.findMany({
    where: {
      ...(merchantId ? { id: merchantId } : {}),
      status: "approved",
      customers: { some: { email: input.email } },
    },
    orderBy: [{ businessName: "asc" }, { id: "asc" }],
    take: 200,
    select: servingMerchant,
  });
}
merchantsOfCustomer.permission = "customers.find" as const;
merchantsOfCustomer.input = merchantsOfCustomerSchema;

// What a choice in a dialog can hold; a customer's own merchant is offered beside them in any case.
const OFFERED = 200;

/** Approved merchants of the actor's reach, by name, each with its open branches: what a top-up can be booked on. */
export async function merchantsToServe(
  ctx: Context,
  _input: Record<never, never>,
): Promise<MerchantChoice[]> {
  const { merchantId } = merchantWhere(authorize(ctx.actor, "money.topUp"));
  const { id, businessName, branches } = servingMerchant;
  const found = await ctx.db.merchant.findMany({
    where: { ...(merchantId ? { id: merchantId } : {}), status: "approved" },
    orderBy: [{ businessName: "asc" }, { id: "asc" }],
    take: OFFERED,
    select: { id, businessName, branches },
  });
  return found.sort(compareByName((merchant) => merchant.businessName));
}
merchantsToServe.permission = "money.topUp" as const;
