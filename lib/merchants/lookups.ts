import { z } from "zod";
import { merchantsOfCustomerSchema } from "@/lib/counter/model/counter";
import type { MerchantChoice, ServedCustomer } from "@/lib/counter/names";
import type { Tx } from "@/lib/db/client";
import type { Prisma, ProfileChange } from "@/lib/db/generated/client";
import { ofEitherId } from "@/lib/db/query";
import { merchantWhere } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { idSchema, nothingSchema } from "@/lib/domain/ids";
import { BRANCH_REF, merchantName } from "@/lib/domain/localized-names";
import { compareByName } from "@/lib/domain/paging";
import { coloursOfMerchant } from "@/lib/files/picture-colour";
import { operation } from "@/lib/operations/operation";
import type { PendingProfile, ShownProfile, SignupMerchant } from "./model/merchant";

/** The columns of what customers see of a merchant, and an administrator approves. */
export const SHOWN = {
  businessName: true,
  businessNameAr: true,
  imageKey: true,
  logoKey: true,
  colour: true,
} as const;

/** Makes a pending profile of a row of profile_changes. It leaves out the fields that stay the same. */
export function toPendingProfile(row: ProfileChange): PendingProfile {
  return {
    id: row.id,
    createdAt: row.createdAt,
    ...(row.businessName === null ? {} : { businessName: row.businessName }),
    ...(row.newNameAr ? { businessNameAr: row.businessNameAr } : {}),
    ...(row.newImage ? { imageKey: row.imageKey } : {}),
    ...(row.newLogo ? { logoKey: row.logoKey } : {}),
    ...(row.newColour ? { colour: row.colour } : {}),
  };
}

/** The row of profile_changes of what is wanted. */
export function toProfileChange(wanted: Partial<ShownProfile>) {
  const { businessName, businessNameAr, imageKey, logoKey, colour } = wanted;
  return {
    businessName: businessName ?? null,
    newNameAr: businessNameAr !== undefined,
    businessNameAr: businessNameAr ?? null,
    newImage: imageKey !== undefined,
    imageKey: imageKey ?? null,
    newLogo: logoKey !== undefined,
    logoKey: logoKey ?? null,
    newColour: colour !== undefined,
    colour: colour ?? null,
  };
}

/** Deletes the waiting change of a profile, with this id if one is given. Answers it, or null when it was decided meanwhile. */
export async function takePendingProfile(
  tx: Tx,
  merchantId: string,
  id?: string,
): Promise<PendingProfile | null> {
  const row = await tx.profileChange.findFirst({ where: { merchantId, id } });
  if (!row) return null;
  const { count } = await tx.profileChange.deleteMany({ where: { id: row.id } });
  return count === 0 ? null : toPendingProfile(row);
}

/** The approved merchant of a sign-up link, by its public id or, in old links, its own. Throws merchant_unavailable. */
export const signupMerchant = operation({
  permission: "public",
  input: z.object({ merchantId: idSchema }),
  readOnly: true,
  run: async (ctx, input): Promise<SignupMerchant> => {
    const merchant = await ctx.db.merchant.findFirst({
      where: { ...ofEitherId(input.merchantId), status: "approved" },
      select: { id: true, publicId: true, ...SHOWN, suspendedAt: true },
    });
    if (!merchant) throw new DomainError("merchant_unavailable");
    const { suspendedAt, colour: _, ...rest } = merchant;
    const colours = await coloursOfMerchant(ctx.db, merchant);
    return { ...rest, colours, suspended: suspendedAt !== null };
  },
});

const MAX_BRANCHES = 200;

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
    select: { ...BRANCH_REF, city: true },
  },
} satisfies Prisma.MerchantSelect;

function counterMerchant<R extends { suspendedAt: Date | null }>({ suspendedAt, ...row }: R) {
  return { ...row, suspended: suspendedAt !== null };
}

// A select can show this many; the customer's own merchant is always offered in addition.
const MAX_MERCHANTS = 200;

/** The approved merchants in the caller's scope that issued a card to this e-mail, with their open branches, by name. */
export const merchantsOfCustomer = operation({
  permission: "customers.find",
  input: merchantsOfCustomerSchema,
  readOnly: true,
  run: async (ctx, input): Promise<ServedCustomer["merchant"][]> => {
    const { merchantId: id } = merchantWhere(ctx.reach);
    const found = await ctx.db.merchant.findMany({
      where: { id, status: "approved", customers: { some: { email: input.email } } },
      orderBy: [{ businessName: "asc" }, { id: "asc" }],
      take: MAX_MERCHANTS,
      select: counterMerchantSelect,
    });
    return found.map(counterMerchant);
  },
});

/** The approved merchants in the caller's scope that can take a top-up, with their open branches, by name. */
export const merchantsToServe = operation({
  permission: "money.topUp",
  input: nothingSchema,
  readOnly: true,
  run: async (ctx): Promise<MerchantChoice[]> => {
    const { merchantId: id } = merchantWhere(ctx.reach);
    const { imageKey: _, firstName: _first, lastName: _last, ...select } = counterMerchantSelect;
    const found = await ctx.db.merchant.findMany({
      where: { id, status: "approved" },
      orderBy: [{ businessName: "asc" }, { id: "asc" }],
      take: MAX_MERCHANTS,
      select,
    });
    return found.map(counterMerchant).sort(compareByName((merchant) => merchantName(merchant, ctx.locale)));
  },
});
