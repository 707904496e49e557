import type { Context } from "@/lib/db/context";
import type { MerchantStatus } from "@/lib/domain/actor";
import { authorize } from "@/lib/domain/actor";
import type { Locale, Role } from "@/lib/domain/roles";

export type Profile = {
  id: string;
  role: Role;
  firstName: string;
  lastName: string;
  email: string;
  phone: string | null;
  locale: Locale | null;
  branchId: string | null;
  merchant: {
    id: string;
    businessName: string;
    imageKey: string | null;
    status: MerchantStatus;
    statusReason: string | null;
  } | null;
};

/** The user who asks, with the merchant they belong to (null for administrators). */
export async function profile(ctx: Context, _input: Record<never, never>): Promise<Profile> {
  authorize(ctx.actor, "account.own");
  const { actor } = ctx;
  const merchant = actor.merchantId
    ? await ctx.db.merchant.findUnique({
        where: { id: actor.merchantId },
        select: { id: true, businessName: true, imageKey: true, status: true, statusReason: true },
      })
    : null;
  return {
    id: actor.userId,
    role: actor.role,
    firstName: actor.firstName,
    lastName: actor.lastName,
    email: actor.email,
    phone: actor.phone,
    locale: actor.locale,
    branchId: actor.branchId,
    merchant,
  };
}
profile.permission = "account.own" as const;
