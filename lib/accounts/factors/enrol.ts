import { audit } from "@/lib/audit/audit";
import type { Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { mapUniqueViolation } from "@/lib/db/query";
import { DomainError } from "@/lib/domain/errors";
import { nothingSchema } from "@/lib/domain/ids";
import { operation } from "@/lib/operations/operation";
import { addPasskeySchema, confirmTotpSchema } from "../model/second-factor";
import { newChallenge } from "./challenges";
import { reportFactorChange } from "./manage";
import { creationOptions, verifyNewPasskey } from "./passkeys";
import { replaceRecoveryCodes } from "./recovery-codes";
import { demoCode, newTotp, spendTotpCode } from "./totp";

export type NewTotp = { secret: string; uri: string; demoCode: string | null };
/** A new factor. `recoveryCodes` are shown once: with the first factor, else null. */
export type Enrolled = { id: string; name: string; recoveryCodes: string[] | null };

const DEFAULT_NAMES = { totp: "Authenticator app", passkey: "Passkey" } as const;

/**
 * Begins an authenticator app: answers its new secret, which counts for nothing until confirmTotp.
 * Throws conflict when the account already has an app.
 */
export const startTotp = operation({
  permission: "account.security",
  input: nothingSchema,
  errors: ["conflict"],
  stepUp: true,
  run: async (ctx): Promise<NewTotp> => {
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
    return { secret, uri, demoCode: await demoCode(ctx.db, userId, now, { confirmed: false }) };
  },
});

/** Ten recovery codes with a user's first factor, else null. Parallel first factors wait for each other. */
async function firstCodes(tx: Tx, userId: string, now: Date): Promise<string[] | null> {
  await tx.$queryRaw`select 1 from users where id = ${userId}::uuid for update`;
  if ((await tx.recoveryCode.count({ where: { userId } })) > 0) return null;
  return replaceRecoveryCodes(tx, userId, now);
}

async function enrolled(
  tx: Tx,
  ctx: Context,
  factor: { id: string; name: string },
  kind: keyof typeof DEFAULT_NAMES,
): Promise<Enrolled> {
  const { userId, merchantId } = ctx.actor;
  const recoveryCodes = await firstCodes(tx, userId, ctx.clock());
  await reportFactorChange(tx, ctx, "added", factor.name);
  await audit(tx, ctx, {
    merchantId,
    action: "factor.added",
    entity: "user",
    entityId: userId,
    after: { kind, name: factor.name },
  });
  return { ...factor, recoveryCodes };
}

/**
 * Confirms the authenticator app by its first code. Answers the recovery codes with the account's first factor.
 * Throws second_factor_invalid for a wrong code or an app that was not begun.
 */
export const confirmTotp = operation({
  permission: "account.security",
  input: confirmTotpSchema,
  errors: ["second_factor_invalid"],
  stepUp: true,
  run: async (ctx, input): Promise<Enrolled> =>
    ctx.db.$transaction(async (tx) => {
      const confirm = { name: input.name };
      const factor = await spendTotpCode(tx, ctx.actor.userId, input.code, ctx.clock(), { confirm });
      if (!factor) {
        throw new DomainError("second_factor_invalid", {}, [
          { path: "code", message: "errors.second_factor_invalid" },
        ]);
      }
      return enrolled(tx, ctx, factor, "totp");
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

/**
 * Adds the passkey that the browser made. Answers the recovery codes with the account's first factor.
 * Throws second_factor_invalid, and conflict for a passkey that is known.
 */
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
        return enrolled(tx, ctx, factor, "passkey");
      }),
    );
  },
});
