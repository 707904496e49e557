import { audit, difference } from "@/lib/audit/audit";
import type { Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { authorize } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { byIdSchema, nothingSchema } from "@/lib/domain/ids";
import { type Factors, renameFactorSchema } from "@/lib/domain/second-factor";
import { queueEmail } from "@/lib/email/queue";
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
    locale: ctx.actor.locale ?? ctx.locale,
    params: { name: ctx.actor.firstName, change, factor, at: ctx.clock() },
  });
}

/** The user's second factors, the oldest first, and how many recovery codes are left. */
export async function listFactors(ctx: Context, _input: Record<never, never>): Promise<Factors> {
  authorize(ctx.actor, "account.security");
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
}
listFactors.permission = "account.security" as const;
listFactors.input = nothingSchema;

/** Renames a second factor. Throws not_found. */
export async function renameFactor(
  ctx: Context,
  input: { id: string; name: string },
): Promise<{ renamed: true }> {
  authorize(ctx.actor, "account.security");
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
}
renameFactor.permission = "account.security" as const;
renameFactor.input = renameFactorSchema;

/**
 * Removes a second factor, and with the last one the recovery codes. Throws not_found, and enrolment_required for the
 * last factor of an account that must have one.
 */
export async function removeFactor(ctx: Context, input: { id: string }): Promise<{ removed: true }> {
  authorize(ctx.actor, "account.security");
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
}
removeFactor.permission = "account.security" as const;
removeFactor.input = byIdSchema;
removeFactor.errors = ["enrolment_required"] as const;
removeFactor.stepUp = true as const;

/** Replaces the recovery codes; the old ones stop working. Throws not_found for an account without a second factor. */
export async function renewRecoveryCodes(
  ctx: Context,
  _input: Record<never, never>,
): Promise<{ recoveryCodes: string[] }> {
  authorize(ctx.actor, "account.security");
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
}
renewRecoveryCodes.permission = "account.security" as const;
renewRecoveryCodes.input = nothingSchema;
renewRecoveryCodes.errors = ["not_found"] as const;
renewRecoveryCodes.stepUp = true as const;
