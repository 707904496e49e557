import { z } from "zod";
import { auditUser, difference } from "@/lib/audit/audit";
import type { Db } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import type { ApiKeyActor, UserActor } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { nothingSchema } from "@/lib/domain/ids";
import { BRANCH_REF, MERCHANT_REF } from "@/lib/domain/localized-names";
import { isLocale, LOCALES } from "@/lib/domain/roles";
import { operation } from "@/lib/operations/operation";
import { type UpdateProfile, updateProfileSchema } from "./model/account";
import type { Account, KeyProfile, Profile } from "./names";

/** The current user with their merchant (null for administrators). */
export const profile = operation({
  permission: "account.own",
  input: nothingSchema,
  readOnly: true,
  run: async (ctx): Promise<Profile> => profileOf(ctx.actor),
});

/** The caller of the API: the user as `profile` answers them, or the API key. */
export const caller = operation({
  permission: "profile.read",
  keyScope: "any",
  input: nothingSchema,
  readOnly: true,
  run: async ({ actor, db }): Promise<Profile | KeyProfile> =>
    actor.type === "user" ? profileOf(actor) : readKeyProfile(db, actor),
});

const MOST_BRANCHES = 500;

async function readKeyProfile(db: Db, actor: ApiKeyActor): Promise<KeyProfile> {
  const { keyId, name, scopes, branchId, merchantId } = actor;
  const where = { merchantId, archivedAt: null, ...(branchId ? { id: branchId } : {}) };
  const [keyMerchant, [{ dirhamsPerPoint }], branches] = await Promise.all([
    db.merchant.findUniqueOrThrow({ where: { id: merchantId }, select: MERCHANT_REF }),
    // There is always one: the platform's, where the merchant has none.
    db.$queryRaw<[{ dirhamsPerPoint: number }]>`
      select dirhams_per_point as "dirhamsPerPoint" from points_config_in_force(${merchantId}::uuid)`,
    db.branch.findMany({
      where,
      orderBy: [{ createdAt: "asc" }, { id: "asc" }],
      take: MOST_BRANCHES,
      select: { ...BRANCH_REF, city: true },
    }),
  ]);
  return { keyId, name, scopes, branchId, keyMerchant, dirhamsPerPoint, branches };
}

/** The profile of a user who has just signed in, who may not read it again before they set a second factor. */
export function profileOf(actor: UserActor): Profile {
  // All of it came with the session.
  const { merchantId, merchantFace, merchantStatus: status, merchantStatusReason: statusReason } = actor;
  const merchant =
    merchantId && merchantFace && status ? { id: merchantId, ...merchantFace, status, statusReason } : null;
  const { userId: id, role, firstName, lastName, email, phone, locale, branchId } = actor;
  return { id, role, firstName, lastName, email, phone, locale, branchId, merchant };
}

/** Changes the profile; an owner's name is also the merchant's. Throws validation when a merchant's user removes the phone. */
export const updateProfile = operation({
  permission: "account.own",
  input: updateProfileSchema,
  run: async (ctx, input): Promise<Account> => {
    if (input.phone === null && ctx.actor.merchantId !== null) {
      throw new DomainError("validation", {}, [{ path: "phone", message: "validation.phone.required" }]);
    }
    return writeProfile(ctx, input);
  },
});

/** Saves the user's language, also before they set a second factor: the page that asks for one has its switch too. */
export const saveOwnLocale = operation({
  permission: "account.security",
  input: z.object({ locale: z.enum(LOCALES) }),
  run: async (ctx, { locale }): Promise<void> => {
    await writeProfile(ctx, { locale });
  },
});

async function writeProfile(ctx: Context, input: UpdateProfile): Promise<Account> {
  const { userId, merchantId, role } = ctx.actor;
  return ctx.db.$transaction(async (tx) => {
    await tx.$queryRaw`select 1 from users where id = ${userId}::uuid for update`;
    const where = { id: userId };
    const select = { email: true, firstName: true, lastName: true, phone: true, locale: true } as const;
    const before = await tx.user.findUniqueOrThrow({ where, select });
    const user = await tx.user.update({ where, data: input, select });
    if (role === "merchant_owner" && merchantId !== null && (input.firstName || input.lastName)) {
      await tx.merchant.update({
        where: { id: merchantId },
        data: { firstName: user.firstName, lastName: user.lastName },
        select: { id: true },
      });
    }
    const changed = difference(before, input);
    if (changed)
      await auditUser(tx, ctx, { id: userId, merchantId }, { action: "profile.changed", ...changed });
    return { id: userId, role, ...user, locale: isLocale(user.locale) ? user.locale : null };
  });
}
