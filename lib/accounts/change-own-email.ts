import { auditUser } from "@/lib/audit/audit";
import { codeSchema } from "@/lib/cards/model/card-holder";
import { type CodeTarget, checkCode, mailCode, spendKeptCode } from "@/lib/codes/codes";
import type { Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { mapUniqueViolation } from "@/lib/db/query";
import { consume, type GuardLimit } from "@/lib/db/rate-limit";
import { maskEmail } from "@/lib/domain/contact";
import { DomainError } from "@/lib/domain/errors";
import { mailUser, sendWaitingEmails } from "@/lib/email/queue";
import { translator } from "@/lib/i18n/translate";
import { operation } from "@/lib/operations/operation";
import { voidPasswordLinks } from "./invitations";
import { byEmailSchema } from "./model/account";
import { ownMailbox } from "./prove-mailbox";
import { type PasswordChanged, renewSession } from "./set-password";

const changeOwnEmailSchema = byEmailSchema.extend({
  code: codeSchema,
  /** The code mailed to the present address; not asked for while that address was never proved. */
  oldCode: codeSchema.optional(),
});

// Each try mails an address of the caller's choice.
const TRIES: GuardLimit = { name: "own-email", points: 10, seconds: 60 * 60 };

/** The codes belong to the user: requests of others for the address neither replace them nor use up their guesses. */
const targetOf = (ctx: Context, purpose: "staff_email" | "staff_leave", email: string): CodeTarget => ({
  purpose,
  email,
  deviceId: `user ${ctx.actor.userId}`,
});

/** Mails a code to the new address and, if it was proved, to the present one. Answers how long both are valid. */
export const sendOwnEmailCodes = operation({
  permission: "account.own",
  input: byEmailSchema,
  errors: ["no_change"],
  stepUp: true,
  run: async (ctx, { email }): Promise<{ seconds: number; both: boolean }> => {
    const present = await ownMailbox(ctx, {});
    if (present.email === email) {
      throw new DomainError("no_change", {}, [{ path: "email", message: "errors.no_change" }]);
    }
    await consume(ctx.db, TRIES, ctx.actor.userId);
    const locale = ctx.actor.locale ?? ctx.locale;
    const merchant = translator(locale)("email.common.product");
    const { merchantId: shop } = ctx.actor;
    const { seconds } = await mailCode(ctx, targetOf(ctx, "staff_email", email), { merchant, locale, shop });
    if (present.proved) {
      const about = { merchant, locale, shop, email: maskEmail(email) };
      await mailCode(ctx, targetOf(ctx, "staff_leave", present.email), about);
    }
    return { seconds, both: present.proved };
  },
});

/**
 * Changes the address that the user signs in with, by the mailed codes, ends all other sessions, voids links that the old
 * address got, and tells it. An owner's address is also the merchant's where it was so before. Throws session_ended too.
 */
export const changeOwnEmail = operation({
  permission: "account.own",
  input: changeOwnEmailSchema,
  errors: ["code_invalid", "code_expired", "email_taken", "conflict"],
  stepUp: true,
  run: async (ctx, input): Promise<PasswordChanged> => {
    const now = ctx.clock();
    const { email } = input;
    // The code of an address that was never proved is not asked for.
    const present = await ownMailbox(ctx, {});
    const codes = [await checkCode(ctx.db, targetOf(ctx, "staff_email", email), input.code, now, "code")];
    if (present.proved) {
      const target = targetOf(ctx, "staff_leave", present.email);
      codes.push(await checkCode(ctx.db, target, input.oldCode, now, "oldCode"));
    }
    return mapUniqueViolation("email_taken", "email", () =>
      ctx.db.$transaction(async (tx) => {
        for (const id of codes) await spendKeptCode(tx, id, now);
        await writeEmail(tx, ctx, present, email);
        return renewSession(tx, ctx);
      }),
    );
  },
});

async function writeEmail(
  tx: Tx,
  ctx: Context,
  present: { email: string; proved: boolean },
  email: string,
): Promise<void> {
  const { userId, merchantId, role } = ctx.actor;
  const now = ctx.clock();
  // The old address is part of the condition, so that only the first of two parallel changes succeeds.
  const { count } = await tx.user.updateMany({
    where: { id: userId, email: present.email },
    data: { email, emailProvedAt: now },
  });
  if (count === 0) throw new DomainError("conflict");
  if (role === "merchant_owner" && merchantId !== null) {
    await tx.merchant.updateMany({ where: { id: merchantId, email: present.email }, data: { email } });
  }
  await voidPasswordLinks(tx, userId, now);
  await tx.authChallenge.deleteMany({ where: { userId } });
  const change = { before: { email: present.email }, after: { email } };
  await auditUser(tx, ctx, { id: userId, merchantId }, { action: "profile.email", ...change });
  if (present.proved) {
    const replaced = { ...ctx.actor, email: present.email };
    return mailUser(tx, ctx, replaced, "staff_email_changed", { email: maskEmail(email), at: now });
  }
  // E-mails that waited until a mistyped address was proved go to the new one.
  await sendWaitingEmails(tx, present.email, email);
}
