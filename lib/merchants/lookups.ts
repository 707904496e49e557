import type { Context, PublicContext } from "@/lib/db/context";
import type { Prisma } from "@/lib/db/generated/client";
import { merchantOfEitherId } from "@/lib/db/query";
import { authorize, merchantWhere } from "@/lib/domain/actor";
import type { CardColours } from "@/lib/domain/card-colours";
import {
  type MerchantChoice,
  type MerchantsOfCustomer,
  merchantsOfCustomerSchema,
  type ServedCustomer,
} from "@/lib/domain/counter";
import { DomainError } from "@/lib/domain/errors";
import { merchantName } from "@/lib/domain/merchant-name";
import { compareByName } from "@/lib/domain/paging";
import { coloursOfMerchant } from "@/lib/files/picture-colour";

export type SignupMerchant = {
  id: string;
  publicId: string;
  businessName: string;
  businessNameAr: string | null;
  imageKey: string | null;
  logoKey: string | null;
  colours: CardColours;
  suspended: boolean;
};

/**
 * The approved merchant of a sign-up link, by the link's public id or by the merchant's own, which old links have.
 * Throws merchant_unavailable for any other.
 */
export async function signupMerchant(
  ctx: PublicContext,
  input: { merchantId: string },
): Promise<SignupMerchant> {
  const merchant = await ctx.db.merchant.findFirst({
    where: { ...merchantOfEitherId(input.merchantId), status: "approved" },
    select: {
      id: true,
      publicId: true,
      businessName: true,
      businessNameAr: true,
      imageKey: true,
      logoKey: true,
      colour: true,
      suspendedAt: true,
    },
  });
  if (!merchant) throw new DomainError("merchant_unavailable");
  const { suspendedAt, colour: _, ...rest } = merchant;
  const colours = await coloursOfMerchant(ctx.db, merchant);
  return { ...rest, colours, suspended: suspendedAt !== null };
}
signupMerchant.permission = "public" as const;

const MAX_BRANCHES = 200;

/** The fields of a merchant for the counter: its name, image and open branches, oldest first. */
const counterMerchantSelect = {
  id: true,
  businessName: true,
  businessNameAr: true,
  imageKey: true,
  firstName: true,
  lastName: true,
  tenders: true,
  askSaleRef: true,
  suspendedAt: true,
  branches: {
    where: { archivedAt: null },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    take: MAX_BRANCHES,
    select: { id: true, name: true, city: true },
  },
} satisfies Prisma.MerchantSelect;

type CounterRow = Prisma.MerchantGetPayload<{ select: typeof counterMerchantSelect }>;

/** Maps a row of counterMerchantSelect to what the counter shows. */
function counterMerchant<R extends Pick<CounterRow, "suspendedAt">>({ suspendedAt, ...row }: R) {
  return { ...row, suspended: suspendedAt !== null };
}

// A select can show this many; the customer's own merchant is always offered in addition.
const MAX_MERCHANTS = 200;

/** The approved merchants in the caller's scope that issued a card to this e-mail, with their open branches, by name. */
export async function merchantsOfCustomer(
  ctx: Context,
  input: MerchantsOfCustomer,
): Promise<ServedCustomer["merchant"][]> {
  const { merchantId } = merchantWhere(authorize(ctx.actor, "customers.find"));
  const found = await ctx.db.merchant.findMany({
    where: {
      ...(merchantId ? { id: merchantId } : {}),
      status: "approved",
      customers: { some: { email: input.email } },
    },
    orderBy: [{ businessName: "asc" }, { id: "asc" }],
    take: MAX_MERCHANTS,
    select: counterMerchantSelect,
  });
  return found.map(counterMerchant);
}
merchantsOfCustomer.permission = "customers.find" as const;
merchantsOfCustomer.readOnly = true as const;
merchantsOfCustomer.input = merchantsOfCustomerSchema;

/** The approved merchants in the caller's scope that can take a top-up, with their open branches, by name. */
export async function merchantsToServe(
  ctx: Context,
  _input: Record<never, never>,
): Promise<MerchantChoice[]> {
  const { merchantId } = merchantWhere(authorize(ctx.actor, "money.topUp"));
  const { imageKey: _, firstName: _first, lastName: _last, ...select } = counterMerchantSelect;
  const found = await ctx.db.merchant.findMany({
    where: { ...(merchantId ? { id: merchantId } : {}), status: "approved" },
    orderBy: [{ businessName: "asc" }, { id: "asc" }],
    take: MAX_MERCHANTS,
    select,
  });
  return found.map(counterMerchant).sort(compareByName((merchant) => merchantName(merchant, ctx.locale)));
}
merchantsToServe.permission = "money.topUp" as const;
