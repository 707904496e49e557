import { createHmac, randomInt } from "node:crypto";
import type { Db, Tx } from "@/lib/db/client";
import type { PublicContext } from "@/lib/db/context";
import type { CodePurpose } from "@/lib/db/generated/client";
import { consume, type GuardLimit } from "@/lib/db/rate-limit";
import { DomainError } from "@/lib/domain/errors";
import type { Locale } from "@/lib/domain/roles";
import { queueEmail } from "@/lib/email/queue";
import { env } from "@/lib/env";

/** How long a code is good for, in seconds. */
const CODE_SECONDS = 300;
/** How many wrong guesses burn a code. */
const CODE_GUESSES = 5;

/** What a code is good for: one purpose, one e-mail and, past registration, one card. */
export type CodeTarget = { purpose: CodePurpose; email: string; customerId?: string | null };

const PER_ADDRESS: GuardLimit = { name: "codes-address", points: 200, seconds: 60 * 60 };
const PER_EMAIL: GuardLimit = { name: "codes-email", points: 5, seconds: 60 * 60 };
// What staff ask for at the counter is counted apart, so that a stranger, who may sit in the shop's own Wi-Fi, cannot
// use up a customer's next payment.
const PER_COUNTER_ADDRESS: GuardLimit = { name: "codes-counter-address", points: 200, seconds: 60 * 60 };
const PER_COUNTER_EMAIL: GuardLimit = { name: "codes-counter-email", points: 20, seconds: 60 * 60 };

/** What is kept of a code. Keyed, since six digits alone would be found by trying them all on a leaked table. */
function hashCode(target: CodeTarget, code: string): string {
  return createHmac("sha256", env().AUTH_SECRET)
    .update([target.purpose, target.email, target.customerId ?? "", code].join("\n"))
    .digest("hex");
}

/** Counts one send: 5 an hour an e-mail (20 when staff ask at the counter), 200 an hour an address. Throws rate_limited. */
async function countSend(db: Db, target: CodeTarget, address: string): Promise<void> {
  const atCounter = target.purpose === "redeem" || target.purpose === "unfreeze";
  await consume(db, atCounter ? PER_COUNTER_ADDRESS : PER_ADDRESS, address);
  await consume(db, atCounter ? PER_COUNTER_EMAIL : PER_EMAIL, target.email);
}

/** Makes a new six-digit code, which replaces the target's older one. Answers the code: nothing else ever can. */
export async function issueCode(tx: Tx, target: CodeTarget, address: string, now: Date): Promise<string> {
  const code = String(randomInt(1_000_000)).padStart(6, "0");
  const { purpose, email, customerId = null } = target;
  await tx.code.updateMany({ where: { purpose, email, customerId, usedAt: null }, data: { usedAt: now } });
  await tx.code.create({
    data: {
      purpose,
      email,
      customerId,
      codeHash: hashCode(target, code),
      address,
      createdAt: now,
      expiresAt: new Date(now.getTime() + CODE_SECONDS * 1000),
    },
    select: { id: true },
  });
  return code;
}

/**
 * Counts, issues and mails a new code for the target, in one go; the e-mail is the one of its purpose. `merchant` is the
 * name that the e-mail carries. Answers how long the code is good for, in seconds. Throws rate_limited.
 */
export async function mailCode(
  ctx: Pick<PublicContext, "db" | "address" | "clock">,
  target: CodeTarget,
  { merchant, locale }: { merchant: string; locale: Locale },
): Promise<{ seconds: number }> {
  await countSend(ctx.db, target, ctx.address);
  await ctx.db.$transaction(async (tx) => {
    const code = await issueCode(tx, target, ctx.address, ctx.clock());
    await queueEmail(tx, {
      to: target.email,
      template: `code_${target.purpose}`,
      params: { merchant, code, minutes: CODE_SECONDS / 60 },
      locale,
      customerId: target.customerId,
    });
  });
  return { seconds: CODE_SECONDS };
}

/**
 * Tries a guess against the target's newest code, and spends it when it is right (unless `keep` leaves that to the
 * caller). One statement decides and counts, so parallel guesses never get more tries than one after another; it
 * stands outside any transaction, so that a refusal keeps its count. Undefined: there is no code to guess at.
 */
export async function guessCode(
  db: Db,
  target: CodeTarget,
  code: string,
  now: Date,
  { keep = false }: { keep?: boolean } = {},
): Promise<{ id: string; good: boolean } | undefined> {
  const { purpose, email, customerId = null } = target;
  const hash = hashCode(target, code);
  const [guess] = await db.$queryRaw<{ id: string; good: boolean }[]>`
    update codes c
    set wrong = c.wrong + case when c.code_hash = ${hash} then 0 else 1 end,
        used_at = case when (c.code_hash = ${hash} and not ${keep})
          or (c.code_hash <> ${hash} and c.wrong + 1 >= ${CODE_GUESSES}::int) then ${now}::timestamptz end
    from (select id from codes
      where purpose = ${purpose}::"CodePurpose" and email = ${email}
        and customer_id is not distinct from ${customerId}::uuid
      order by created_at desc, id desc limit 1) newest
    where c.id = newest.id and c.used_at is null and c.expires_at > ${now}::timestamptz
    returning c.id::text as id, c.code_hash = ${hash} as good`;
  return guess;
}

/**
 * Verifies the target's newest code and spends it, unless `keep` leaves that to spendKeptCode.
 * Throws code_invalid, or code_expired when the newest code was good but its 300 seconds are over.
 */
export async function spendCode(
  db: Db,
  target: CodeTarget,
  code: string,
  now: Date,
  options: { keep?: boolean } = {},
): Promise<{ id: string }> {
  const { purpose, email, customerId = null } = target;
  const guess = await guessCode(db, target, code, now, options);
  if (guess?.good) return { id: guess.id };
  if (guess) throw new DomainError("code_invalid");
  const newest = await db.code.findFirst({
    where: { purpose, email, customerId },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    select: { usedAt: true, expiresAt: true },
  });
  throw new DomainError(
    newest && !newest.usedAt && newest.expiresAt <= now ? "code_expired" : "code_invalid",
  );
}

/**
 * Spends a code that was verified with `keep`, within the transaction of what it allows: refused there, it stays good.
 * Throws code_invalid when it was spent meanwhile.
 */
export async function spendKeptCode(tx: Tx, id: string, now: Date): Promise<void> {
  const { count } = await tx.code.updateMany({ where: { id, usedAt: null }, data: { usedAt: now } });
  if (count === 0) throw new DomainError("code_invalid");
}
