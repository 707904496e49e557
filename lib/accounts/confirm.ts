import type { Tx } from "@/lib/db/client";
import type { PublicContext } from "@/lib/db/context";
import { consume, type GuardLimit } from "@/lib/db/rate-limit";
import { mustStepUp } from "@/lib/domain/actor";
import { DomainError, type FactorRequest } from "@/lib/domain/errors";
import { nothingSchema } from "@/lib/domain/ids";
import { operation } from "@/lib/operations/operation";
import { hashSecret } from "@/lib/secrets/secrets";
import { confirmPassword } from "./attempts";
import { newChallenge, readChallenge, spendChallenge } from "./factors/challenges";
import { assertionOptions, spendAssertion } from "./factors/passkeys";
import { askForFactor, factorMethods, proveFactor } from "./factors/prove";
import {
  type ConfirmSignIn,
  confirmSignInSchema,
  STEP_UP_SECONDS,
  stepUpSchema,
} from "./model/second-factor";
import { type LoggedIn, loggedIn, openSignedIn, type SignedIn } from "./sign-in";

const PASSKEYS_PER_ADDRESS: GuardLimit = { name: "passkey-address", points: 100, seconds: 15 * 60 };
// A device that signed in before: strangers who use up the others do not shut it out. All devices of an address together
// have ten times as many.
const PASSKEYS_PER_DEVICE: GuardLimit = { name: "passkey-device", points: 100, seconds: 15 * 60 };
const PASSKEYS_OF_DEVICES: GuardLimit = { name: "passkey-devices", points: 1000, seconds: 15 * 60 };

/** Begins a sign-in with a passkey alone: answers the challenge that any passkey of this site can sign. */
export const askForPasskey = operation({
  permission: "public",
  input: nothingSchema,
  run: async (ctx): Promise<FactorRequest> => {
    if (ctx.device) {
      await consume(ctx.db, PASSKEYS_PER_DEVICE, ctx.device.id);
      await consume(ctx.db, PASSKEYS_OF_DEVICES, ctx.address);
    } else await consume(ctx.db, PASSKEYS_PER_ADDRESS, ctx.address);
    const { secret, expiresAt } = await newChallenge(ctx.db, { kind: "passkey" }, ctx.clock());
    const options = { ...(await assertionOptions(ctx.db, secret, null)) };
    return { challenge: secret, methods: ["passkey"], options, expiresAt, demoCode: null };
  },
});

/** Whether the user may sign in, locked so that a password change either comes before this or ends its session. */
async function lockActive(tx: Tx, userId: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    select 1 from users where id = ${userId}::uuid and status = 'active' for share`;
  return rows.length > 0;
}

async function signInByPasskey(ctx: PublicContext, input: ConfirmSignIn): Promise<SignedIn> {
  const invalid = () => new DomainError("second_factor_invalid");
  if (!input.assertion) throw invalid();
  const now = ctx.clock();
  const passkey = await spendAssertion(ctx.db, input.assertion, { kind: "passkey" }, now, input.challenge);
  // Not audited: it names no account, and a stranger could write as many entries as they like.
  if (!passkey) throw invalid();
  return ctx.db.$transaction(async (tx) => {
    if (!(await lockActive(tx, passkey.userId))) throw invalid();
    return openSignedIn(tx, ctx, passkey.userId);
  });
}

/**
 * The second step of a sign-in: opens the session for the challenge of signIn with a code, a recovery code or a passkey,
 * or for the challenge of askForPasskey with a passkey alone. A wrong code leaves the challenge good.
 * Throws challenge_expired, second_factor_invalid, rate_limited.
 */
export const confirmSignIn = operation({
  permission: "public",
  input: confirmSignInSchema,
  run: async (ctx, input): Promise<SignedIn> => {
    const { db } = ctx;
    const challenge = await readChallenge(db, input.challenge, ctx.clock());
    if (challenge?.kind === "passkey") return signInByPasskey(ctx, input);
    const userId = challenge?.userId;
    if (challenge?.kind !== "sign_in" || !userId) throw new DomainError("challenge_expired");
    const of = { kind: "sign_in" as const, userId };
    await proveFactor(ctx, of, input, input.challenge);
    return db.$transaction(async (tx) => {
      if (!(await lockActive(tx, userId))) throw new DomainError("challenge_expired");
      // A passkey's answer has spent the challenge already. A password change removes it: the first step is then void.
      const left = input.assertion
        ? (await tx.authChallenge.count({ where: { secretHash: hashSecret(input.challenge) } })) > 0
        : await spendChallenge(tx, input.challenge, of, ctx.clock());
      if (!left) throw new DomainError("challenge_expired");
      return openSignedIn(tx, ctx, userId);
    });
  },
});

/** The second step of an API client's sign-in. Answers what logIn answers. Throws the same errors as confirmSignIn. */
export const confirmLogIn = operation({
  permission: "public",
  input: confirmSignInSchema,
  errors: ["invalid_credentials", "challenge_expired", "second_factor_invalid"],
  run: async (ctx, input): Promise<LoggedIn> => loggedIn(ctx, await confirmSignIn(ctx, input)),
});

/** How the user can confirm who they are: by a second factor where one is set (with its challenge), else by password. */
export const askToStepUp = operation({
  permission: "account.security",
  input: nothingSchema,
  readOnly: true,
  run: async (ctx): Promise<FactorRequest> => {
    const { userId, sessionId } = ctx.actor;
    const methods = await factorMethods(ctx.db, userId);
    const of = { kind: "step_up" as const, userId, sessionId };
    return askForFactor(ctx.db, of, methods.length > 0 ? methods : ["password"], ctx.clock());
  },
});

/** Whether the user must confirm who they are before the next operation that asks for it. */
export const stepUpDue = operation({
  permission: "account.security",
  input: nothingSchema,
  run: async (ctx): Promise<{ due: boolean }> => ({ due: mustStepUp(ctx.actor, ctx.clock()) }),
});

/**
 * Confirms who the user is for five minutes of this session: by the second factor where one is set, else by the password.
 * Answers until when. Throws wrong_password, second_factor_invalid (also for a password where a factor is set),
 * rate_limited.
 */
export const stepUp = operation({
  permission: "account.security",
  input: stepUpSchema,
  errors: ["wrong_password", "second_factor_invalid"],
  run: async (ctx, input): Promise<{ until: Date }> => {
    const { userId, sessionId } = ctx.actor;
    if (input.password === undefined) {
      await proveFactor(ctx, { kind: "step_up", userId, sessionId }, input);
    } else if (ctx.actor.secondFactor) {
      throw new DomainError("second_factor_invalid");
    } else {
      await confirmPassword(ctx, input.password);
    }
    const until = new Date(ctx.clock().getTime() + STEP_UP_SECONDS * 1000);
    await ctx.db.session.updateMany({
      where: { id: sessionId, revokedAt: null },
      data: { steppedUpUntil: until },
    });
    return { until };
  },
});
