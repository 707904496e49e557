import type { Context } from "@/lib/db/context";
import type { Account } from "@/lib/domain/account";
import { authorize } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { isLocale } from "@/lib/domain/roles";
import type { UpdateProfile } from "@/lib/domain/schemas/account";

/**
 * Changes the own name, phone and language; an owner's name is the merchant's too, as the card prints it.
 * Throws validation when someone of a merchant gives up their phone.
 */
export async function updateProfile(ctx: Context, input: UpdateProfile): Promise<Account> {
  authorize(ctx.actor, "account.own");
  const { userId, merchantId, role } = ctx.actor;
  if (input.phone === null && merchantId !== null) {
    throw new DomainError("validation", {}, [{ path: "phone", message: "validation.phone.required" }]);
  }
  return ctx.db.$transaction(async (tx) => {
    const user = await tx.user.update({
      where: { id: userId },
      data: input,
      select: {
        id: true,
        role: true,
        email: true,
        firstName: true,
        lastName: true,
        phone: true,
        locale: true,
      },
    });
    if (role === "merchant_owner" && merchantId !== null && (input.firstName || input.lastName)) {
      await tx.merchant.update({
        where: { id: merchantId },
        data: { firstName: user.firstName, lastName: user.lastName },
        select: { id: true },
      });
    }
    return { ...user, locale: isLocale(user.locale) ? user.locale : null };
  });
}
updateProfile.permission = "account.own" as const;
