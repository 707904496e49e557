import { auditUser, difference } from "@/lib/audit/audit";
import type { Tx } from "@/lib/db/client";
import type { Context, PublicContext } from "@/lib/db/context";
import { mapUniqueViolation } from "@/lib/db/query";
import { DomainError } from "@/lib/domain/errors";
import { byIdSchema, nothingSchema } from "@/lib/domain/ids";
import { type MailedUser, mailUser } from "@/lib/email/queue";
import { operation } from "@/lib/operations/operation";
import { addPasskeySchema, confirmTotpSchema, renameFactorSchema } from "../model/second-factor";
import type { Factor, Factors } from "../names";
import { newChallenge } from "./challenges";
import { demoCode, newTotp, replaceRecoveryCodes, spendTotpCode, WRONG_CODE } from "./codes";
import { creationOptions, verifyNewPasskey } from "./passkeys";

type Person = MailedUser & { id: string };
type Named = Pick<Factor, "kind" | "name">;

const self = ({ actor }: Context): Person => ({ ...actor, id: actor.userId });

/** Mails the user, and writes down, a change of their factors or new recovery codes, or that one was used. */
export async function reportFactorChange(
  tx: Tx,
  ctx: PublicContext,
  user: Person,
  change: "added" | "removed" | "codes" | "recovered",
  factor?: Named,
): Promise<void> {
  const params = { change, factor: factor?.name ?? "", at: ctx.clock() };
  await mailUser(tx, ctx, user, "second_factor_changed", params);
  const values = factor && { kind: factor.kind, name: factor.name };
  const entry = change === "removed" ? { before: values } : { after: values };
  await auditUser(tx, ctx, user, { action: `factor.${change}`, ...entry });
}

/** A new factor. `recoveryCodes` are shown once: with the first factor, else null. */
export type Enrolled = { id: string; name: string; recoveryCodes: string[] | null };

const DEFAULT_NAMES = { totp: "Authenticator app", passkey: "Passkey" } as const;

/** Begins an authenticator app. Its secret counts after confirmTotp. Throws conflict where the account has one. */
export const startTotp = operation({
  permission: "account.security",
  input: nothingSchema,
  errors: ["conflict"],
  stepUp: true,
  run: async (ctx): Promise<{ secret: string; uri: string; demoCode: string | null }> => {
    const { userId, email } = ctx.actor;
    const { secret, sealed, uri } = newTotp(userId, email);
    const now = ctx.clock();
    // One statement decides: an app that was confirmed is never replaced.
    const rows = await ctx.db.$queryRaw<unknown[]>`
    insert into second_factors (user_id, kind, name, secret, created_at)
    values (${userId}::uuid, 'totp', ${DEFAULT_NAMES.totp}, ${sealed}, ${now}::timestamptz)
    on conflict (user_id) where kind = 'totp' do update
    set secret = excluded.secret, created_at = excluded.created_at, last_step = null
    where second_factors.confirmed_at is null
    returning 1`;
    if (rows.length === 0) throw new DomainError("conflict");
    return { secret, uri, demoCode: await demoCode(ctx.db, userId, now, false) };
  },
});

/** Reports a new factor. The user's first one gets ten recovery codes; parallel first factors wait for each other. */
async function enrolled(tx: Tx, ctx: Context, factor: Named & { id: string }): Promise<Enrolled> {
  const { userId } = ctx.actor;
  await tx.$queryRaw`select 1 from users where id = ${userId}::uuid for update`;
  const known = await tx.recoveryCode.count({ where: { userId } });
  const recoveryCodes = known > 0 ? null : await replaceRecoveryCodes(tx, userId, ctx.clock());
  await reportFactorChange(tx, ctx, self(ctx), "added", factor);
  return { id: factor.id, name: factor.name, recoveryCodes };
}

/** Confirms the app by its first code. Answers recovery codes for a first factor. Throws second_factor_invalid. */
export const confirmTotp = operation({
  permission: "account.security",
  input: confirmTotpSchema,
  errors: ["second_factor_invalid"],
  stepUp: true,
  run: async (ctx, input): Promise<Enrolled> =>
    ctx.db.$transaction(async (tx) => {
      const confirm = { name: input.name };
      const factor = await spendTotpCode(tx, ctx.actor.userId, input.code, ctx.clock(), confirm);
      if (!factor) throw new DomainError("second_factor_invalid", {}, [WRONG_CODE]);
      return enrolled(tx, ctx, { ...factor, kind: "totp" });
    }),
});

/** Begins a passkey: answers the options of the browser's call that makes one. */
export const startPasskey = operation({
  permission: "account.security",
  input: nothingSchema,
  stepUp: true,
  run: async (ctx) => {
    const { userId, sessionId } = ctx.actor;
    const of = { kind: "enrol" as const, userId, sessionId };
    const { secret } = await newChallenge(ctx.db, of, ctx.clock());
    return { options: { ...(await creationOptions(ctx.db, ctx.actor, secret)) } };
  },
});

/** Adds the browser's passkey. Answers recovery codes for a first factor. Throws second_factor_invalid, conflict (known). */
export const addPasskey = operation({
  permission: "account.security",
  input: addPasskeySchema,
  errors: ["second_factor_invalid", "conflict"],
  stepUp: true,
  run: async (ctx, input): Promise<Enrolled> => {
    const { userId, sessionId } = ctx.actor;
    const now = ctx.clock();
    const of = { kind: "enrol" as const, userId, sessionId };
    const passkey = await verifyNewPasskey(ctx.db, input.attestation, of, now);
    return mapUniqueViolation("conflict", "attestation", () =>
      ctx.db.$transaction(async (tx) => {
        const name = input.name ?? DEFAULT_NAMES.passkey;
        const factor = await tx.secondFactor.create({
          data: { userId, kind: "passkey", name, ...passkey, confirmedAt: now, createdAt: now },
          select: { id: true, name: true },
        });
        return enrolled(tx, ctx, { ...factor, kind: "passkey" });
      }),
    );
  },
});

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
    const { userId } = ctx.actor;
    await ctx.db.$transaction(async (tx) => {
      const [before] = await tx.$queryRaw<{ name: string }[]>`
      update second_factors set name = ${input.name}
      where id = ${input.id}::uuid and user_id = ${userId}::uuid and confirmed_at is not null
      returning old.name`;
      if (!before) throw new DomainError("not_found");
      const changed = difference(before, { name: input.name });
      if (changed) await auditUser(tx, ctx, self(ctx), { action: "factor.renamed", ...changed });
    });
    return { renamed: true };
  },
});

/** Removes a second factor, and with the last one the recovery codes. Throws not_found, enrolment_required. */
export const removeFactor = operation({
  permission: "account.security",
  input: byIdSchema,
  errors: ["enrolment_required"],
  stepUp: true,
  run: async (ctx, input): Promise<{ removed: true }> => {
    const { userId } = ctx.actor;
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
      await reportFactorChange(tx, ctx, self(ctx), "removed", factor);
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
    const { userId } = ctx.actor;
    return ctx.db.$transaction(async (tx) => {
      await tx.$queryRaw`select 1 from users where id = ${userId}::uuid for update`;
      const factors = await tx.secondFactor.count({ where: { userId, confirmedAt: { not: null } } });
      if (factors === 0) throw new DomainError("not_found");
      const recoveryCodes = await replaceRecoveryCodes(tx, userId, ctx.clock());
      await reportFactorChange(tx, ctx, self(ctx), "codes");
      return { recoveryCodes };
    });
  },
});
