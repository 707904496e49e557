import { auditUser } from "@/lib/audit/audit";
import type { Tx } from "@/lib/db/client";
import type { Context, PublicContext } from "@/lib/db/context";
import { consume, type GuardLimit } from "@/lib/db/rate-limit";
import { DomainError } from "@/lib/domain/errors";
import { MERCHANT_REF } from "@/lib/domain/localized-names";
import { localeOr } from "@/lib/domain/roles";
import { MAILED_USER, type MailedUser, mailUser, queueEmails } from "@/lib/email/queue";
import { env } from "@/lib/env";
import { noteGroundOf } from "@/lib/files/note";
import { askedMail, leaveMailToJob } from "@/lib/jobs/add-job";
import type { Task } from "@/lib/jobs/queue";
import { operation } from "@/lib/operations/operation";
import type { SetCookie } from "@/lib/secrets/cookies";
import { deviceKnownTo } from "@/lib/secrets/known-device";
import { hashSecret, newSecret } from "@/lib/secrets/secrets";
import { confirmPassword } from "./attempts";
import { sessionCookie } from "./auth.config";
import { readAccount } from "./credentials";
import { endAccess, voidPasswordLinks } from "./invitations";
import {
  acceptInvitationSchema,
  byEmailSchema,
  changePasswordSchema,
  type ResetPassword,
  resetPasswordSchema,
} from "./model/account";
import { hashPassword, type PasswordOwner } from "./password";
import { hashNewPin, storePin } from "./pin";
import { proveMailbox } from "./prove-mailbox";
import { endSessions, rotateSession } from "./session";
import { openSignedIn, type SignedIn } from "./sign-in";

/** The session after a password change: the token of an API client, or a panel's cookie. */
export type PasswordChanged = {
  userId: string;
  ended: number;
  token: string | null;
  cookie: SetCookie | null;
  expiresAt: Date;
};

/** Ends all the user's other sessions, and gives this one a new id and token. Throws session_ended. */
export async function renewSession(tx: Tx, ctx: Context): Promise<PasswordChanged> {
  const { userId, role } = ctx.actor;
  const now = ctx.clock();
  const { id: sessionId, handle, token, expiresAt } = await rotateSession(tx, ctx.actor.sessionId, now);
  const ended = await endSessions(tx, { userId, id: { not: sessionId } }, now);
  const cookie = token === null ? await sessionCookie({ userId, sessionId, handle, role }) : null;
  return { userId, ended, token, cookie, expiresAt };
}

/**
 * Changes the password, ends all other sessions, gives this one a new id and token (whoever copied the old one is out), and
 * voids mailed links. The PIN goes unless the user keeps it. Throws session_ended too.
 */
export const changePassword = operation({
  permission: "account.own",
  input: changePasswordSchema,
  errors: ["wrong_password", "weak_password", "conflict"],
  run: async (ctx, input): Promise<PasswordChanged> => {
    const oldHash = await confirmPassword(ctx, input.oldPassword, "oldPassword");
    const passwordHash = await hashPassword(input.newPassword, { path: "newPassword", owner: ctx.actor });
    return ctx.db.$transaction(async (tx) => {
      // First, as a reset does: the two then wait for each other in one order.
      await voidPasswordLinks(tx, ctx.actor.userId, ctx.clock());
      // The old hash is part of the condition, so that only the first of two parallel changes succeeds.
      const { count } = await tx.user.updateMany({
        where: { id: ctx.actor.userId, passwordHash: oldHash },
        data: { passwordHash },
      });
      if (count === 0) throw new DomainError("conflict");
      const { userId: id, merchantId } = ctx.actor;
      const renewed = await renewSession(tx, ctx);
      const pin = input.keepPin ? null : await removePin(tx, id);
      const after = { sessions: renewed.ended, ...pin };
      await auditUser(tx, ctx, { id, merchantId }, { action: "password.changed", after });
      await reportNewPassword(tx, ctx, id);
      return renewed;
    });
  },
});

async function removePin(tx: Tx, userId: string): Promise<{ pinRemoved: true } | null> {
  const { count } = await tx.workerPin.deleteMany({ where: { userId } });
  return count > 0 ? { pinRemoved: true } : null;
}

async function reportNewPassword(tx: Tx, ctx: PublicContext, userId: string): Promise<void> {
  await tx.authChallenge.deleteMany({ where: { userId } });
  const user = await tx.user.findUniqueOrThrow({ where: { id: userId }, select: MAILED_USER });
  const params = { at: ctx.clock(), url: `${env().APP_URL}/forgot-password` };
  await mailUser(tx, ctx, user, "password_changed", params);
}

const LINKS_PER_EMAIL: GuardLimit = { name: "reset-email", points: 5, seconds: 60 * 60 };
const LINKS_PER_ADDRESS: GuardLimit = { name: "reset-address", points: 50, seconds: 60 * 60 };
// A device that signed in to this account before: strangers who use up the others do not shut it out.
const LINKS_PER_DEVICE: GuardLimit = { name: "reset-device", points: 5, seconds: 60 * 60 };
const LINK_MINUTES = 30;

/** Has a single-use link mailed, valid for 30 minutes. What is done before the answer does not tell if the account exists. */
export const forgotPassword = operation({
  permission: "public",
  input: byEmailSchema,
  run: async (ctx, input): Promise<{ sent: true }> => {
    const account = await readAccount(ctx.db, input);
    const known =
      account && deviceKnownTo(ctx.device, { userId: account.id, credentials: account.credentials });
    if (known) await consume(ctx.db, LINKS_PER_DEVICE, `${input.email}|${known}`);
    else {
      await consume(ctx.db, LINKS_PER_ADDRESS, ctx.address);
      await consume(ctx.db, LINKS_PER_EMAIL, input.email);
    }
    await leaveMailToJob(ctx, "mail_reset", input.email);
    return { sent: true };
  },
});

/** Mails the reset link that somebody asked for, if the address has an account. */
export const mailReset: Task = async ({ db }, payload) => {
  const asked = askedMail(payload, LINK_MINUTES);
  if (!asked) return;
  await db.$transaction(async (tx) => {
    // The lock makes a change of the address end this link with the others, or come first and leave nobody to mail.
    const [user] = await tx.$queryRaw<(Omit<MailedUser, "email"> & { id: string; proved: boolean })[]>`
      select id::text as id, first_name as "firstName", locale, merchant_id::text as "merchantId",
        email_proved_at is not null as proved
      from users where email = ${asked.email} and status in ('active', 'invited') for share`;
    if (!user) return;
    const secret = newSecret();
    const params = {
      name: user.proved ? user.firstName : null,
      url: `${env().APP_URL}/reset-password/${secret}`,
      minutes: LINK_MINUTES,
    };
    const locale = localeOr(user.locale, asked.locale);
    // A mailbox that is not proved may be a stranger's, who need not learn where the person works.
    const shop = user.proved ? user.merchantId : null;
    const mail = { id: asked.mailId, to: asked.email, shop, locale, params, expiresIn: LINK_MINUTES * 60 };
    const written = await queueEmails(tx, [{ ...mail, template: "password_reset" as const }]);
    if (written.length === 0) return;
    await tx.passwordToken.create({
      data: {
        userId: user.id,
        tokenHash: hashSecret(secret),
        expiresAt: new Date(asked.askedAt.getTime() + LINK_MINUTES * 60_000),
      },
    });
    await auditUser(tx, { ...asked, actor: null }, user, { action: "password.requested" });
  });
};

const RESETS_PER_ADDRESS: GuardLimit = { name: "reset-try-address", points: 50, seconds: 60 * 60 };

const good = (ctx: PublicContext, token: string) => ({
  tokenHash: hashSecret(token),
  usedAt: null,
  expiresAt: { gt: ctx.clock() },
});

/**
 * The owner of a link, for the rules of their password. Throws link_invalid. Only links that do not work are counted: strangers
 * of one address cannot use up the resets of others there, and a secret of 256 bits is not guessed.
 */
async function linkOwner(ctx: PublicContext, token: string): Promise<PasswordOwner> {
  const link = await ctx.db.passwordToken.findFirst({
    where: good(ctx, token),
    select: { user: { select: { email: true, firstName: true, lastName: true } } },
  });
  if (link) return link.user;
  await consume(ctx.db, RESETS_PER_ADDRESS, ctx.address);
  throw new DomainError("link_invalid");
}

/** Answers who a mailed link is for, and whether it is a first one; null for one that does not work. It uses nothing up. */
export const viewPasswordLink = operation({
  permission: "public",
  input: resetPasswordSchema.pick({ token: true }),
  readOnly: true,
  run: async (ctx, { token }) => {
    const link = await ctx.db.passwordToken.findFirst({
      where: good(ctx, token),
      select: {
        user: {
          select: {
            firstName: true,
            role: true,
            passwordHash: true,
            merchant: {
              select: { ...MERCHANT_REF, publicId: true, logoKey: true, imageKey: true, colour: true },
            },
          },
        },
      },
    });
    if (!link) return null;
    const { firstName, role, passwordHash, merchant } = link.user;
    const employee = role === "branch_worker";
    const shop = merchant && { ...merchant, note: await noteGroundOf(ctx.db, merchant) };
    return { first: passwordHash === null, employee, name: firstName, shop };
  },
});

/**
 * Sets a password with a mailed link, once, and ends every session of the user. An employee's PIN is replaced, or goes.
 * `accepts`: the link must be the invitation of an employee, who is signed in.
 */
async function resetByLink(ctx: PublicContext, input: ResetPassword, accepts: boolean) {
  // Before the password is hashed, which is expensive.
  const owner = await linkOwner(ctx, input.token);
  const passwordHash = await hashPassword(input.password, { owner });
  const pinHash = input.pin === undefined ? null : await hashNewPin(input.pin);
  return ctx.db.$transaction(async (tx) => {
    const now = ctx.clock();
    const [token] = await tx.passwordToken.updateManyAndReturn({
      where: good(ctx, input.token),
      data: { usedAt: now },
      select: { userId: true },
    });
    if (!token) throw new DomainError("link_invalid");
    const { userId } = token;
    const invited = (await tx.user.count({ where: { id: userId, passwordHash: null } })) > 0;
    const [user] = await tx.user.updateManyAndReturn({
      where: { id: userId, status: { in: ["active", "invited"] } },
      data: { passwordHash, status: "active" },
      select: { id: true, role: true, ...MAILED_USER },
    });
    const isEmployee = user?.role === "branch_worker";
    if (!user || (accepts && !(invited && isEmployee))) throw new DomainError("link_invalid");
    if (pinHash !== null && !isEmployee) throw new DomainError("forbidden");
    await proveMailbox(tx, userId, now);
    const sessions = await endAccess(tx, userId, now);
    // The mailed link authenticates the user.
    const by = { ...ctx, actor: { type: "user", userId } } as const;
    const pin = pinHash === null ? await removePin(tx, userId) : null;
    await auditUser(tx, by, user, { action: "password.reset", after: { sessions, ...pin } });
    if (pinHash !== null) await storePin(tx, by, user, { pinHash, setAt: now });
    // No e-mail about the first password, since the user has just set it.
    if (!invited) await reportNewPassword(tx, ctx, userId);
    const session = accepts ? await openSignedIn(tx, { ...ctx, actor: null }, userId) : null;
    return { userId, session };
  });
}

/** Sets a password with a mailed link. Answers whose it is. Throws forbidden for a PIN of anybody but an employee. */
export const resetPassword = operation({
  permission: "public",
  input: resetPasswordSchema,
  errors: ["link_invalid", "weak_password", "weak_pin", "forbidden"],
  run: async (ctx, input): Promise<{ userId: string }> => {
    const { userId } = await resetByLink(ctx, input, false);
    return { userId };
  },
});

/** Accepts an employee's invitation with a password and a PIN. Throws link_invalid also for any other link. */
export const acceptInvitation = operation({
  permission: "public",
  input: acceptInvitationSchema,
  errors: ["link_invalid", "weak_password", "weak_pin"],
  run: async (ctx, input): Promise<SignedIn> => {
    const { session } = await resetByLink(ctx, input, true);
    if (session === null) throw new Error("an accepted invitation opens a session");
    return session;
  },
});
