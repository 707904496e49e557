import { audit, difference } from "@/lib/audit/audit";
import type { Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { DomainError } from "@/lib/domain/errors";
import { byIdSchema, nothingSchema } from "@/lib/domain/ids";
import { queueEmail } from "@/lib/email/queue";
import { operation } from "@/lib/operations/operation";
import { type Factors, renameFactorSchema } from "../model/second-factor";
import { replaceRecoveryCodes } from "./recovery-codes";

/** Mails the user that a factor of theirs was added or removed, or that they have new recovery codes. */
export async function reportFactorChange(
  tx: Tx,
  ctx: Context,
  change: "added" | "removed" | "codes",
  factor: string,
): Promise<void> {
  await queueEmail(tx, {
    to: ctx.actor.email,
    template: "second_factor_changed",
    shop: ctx.actor.merchantId,
    locale: ctx.actor.locale ?? ctx.locale,
    params: { name: ctx.actor.firstName, change, factor, at: ctx.clock() },
  });
}

/** The user's second factors, the oldest first, and how many recovery codes are left. */
export const listFactors = operation({
  permission: "account.security",
  input: nothingSchema,
  readOnly: true,
  run: async (ctx): Promise<Factors> => {
    const { userId } = ctx.actor;
    const [factors, recoveryCodes] = await Promise.all([
      ctx.db.secondFactor.findMany({
        where: { userId, confirmedAt: { not: null } },
        orderBy: { id: "asc" },
        select: { id: true, kind: true, name: true, createdAt: true, lastUsedAt: true },
      }),
      ctx.db.recoveryCode.count({ where: { userId, usedAt: null } }),
    ]);
    return { factors, recoveryCodes, required: ctx.actor.factorRequired };
  },
});

/** Renames a second factor. Throws not_found. */
export const renameFactor = operation({
  permission: "account.security",
  input: renameFactorSchema,
  run: async (ctx, input): Promise<{ renamed: true }> => {
    const { userId, merchantId } = ctx.actor;
    await ctx.db.$transaction(async (tx) => {
      const [before] = await tx.$queryRaw<{ name: string }[]>`
      update second_factors set name = ${input.name}
      where id = ${input.id}::uuid and user_id = ${userId}::uuid and confirmed_at is not null
      returning old.name`;
      if (!before) throw new DomainError("not_found");
      const changed = difference(before, { name: input.name });
      const about = { merchantId, entity: "user", entityId: userId } as const;
      if (changed) await audit(tx, ctx, { action: "factor.renamed", ...about, ...changed });
    });
    return { renamed: true };
  },
});

/**
 * Removes a second factor, and with the last one the recovery codes. Throws not_found, and enrolment_required for the
 * last factor of an account that must have one.
 */
export const removeFactor = operation({
  permission: "account.security",
  input: byIdSchema,
  errors: ["enrolment_required"],
  stepUp: true,
  run: async (ctx, input): Promise<{ removed: true }> => {
    const { userId, merchantId } = ctx.actor;
    await ctx.db.$transaction(async (tx) => {
      // Parallel removals of the last two factors run one after the other.
      await tx.$queryRaw`select 1 from users where id = ${userId}::uuid for update`;
      const own = await tx.secondFactor.findMany({
        where: { userId, confirmedAt: { not: null } },
        select: { id: true, name: true, kind: true },
      });
      const factor = own.find(({ id }) => id === input.id);
      if (!factor) throw new DomainError("not_found");
      if (own.length === 1 && ctx.actor.factorRequired) throw new DomainError("enrolment_required");
      await tx.secondFactor.delete({ where: { id: factor.id }, select: { id: true } });
      if (own.length === 1) await tx.recoveryCode.deleteMany({ where: { userId } });
      await reportFactorChange(tx, ctx, "removed", factor.name);
      await audit(tx, ctx, {
        merchantId,
        action: "factor.removed",
        entity: "user",
        entityId: userId,
        before: { kind: factor.kind, name: factor.name },
      });
    });
    return { removed: true };
  },
});

/** Replaces the recovery codes; the old ones stop working. Throws not_found for an account without a second factor. */
export const renewRecoveryCodes = operation({
  permission: "account.security",
  input: nothingSchema,
  errors: ["not_found"],
  stepUp: true,
  run: async (ctx): Promise<{ recoveryCodes: string[] }> => {
    const { userId, merchantId } = ctx.actor;
    return ctx.db.$transaction(async (tx) => {
      await tx.$queryRaw`select 1 from users where id = ${userId}::uuid for update`;
      const factors = await tx.secondFactor.count({ where: { userId, confirmedAt: { not: null } } });
      if (factors === 0) throw new DomainError("not_found");
      const recoveryCodes = await replaceRecoveryCodes(tx, userId, ctx.clock());
      await reportFactorChange(tx, ctx, "codes", "");
      await audit(tx, ctx, { merchantId, action: "factor.codes", entity: "user", entityId: userId });
      return { recoveryCodes };
    });
  },
});
