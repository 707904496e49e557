import { randomInt } from "node:crypto";
import type { Db, Tx } from "@/lib/db/client";
import type { PublicContext } from "@/lib/db/context";
import type { CodePurpose } from "@/lib/db/generated/client";
import { consume, type GuardLimit } from "@/lib/db/rate-limit";
import { DomainError } from "@/lib/domain/errors";
import type { Locale } from "@/lib/domain/roles";
import { queueEmail } from "@/lib/email/queue";
import { acceptedMacs, macOf } from "@/lib/secrets/keys";

/** How long a code is valid, in seconds. */
const CODE_SECONDS = 300;
/** The number of wrong guesses that invalidate a code. */
const CODE_GUESSES = 5;

/** The target of a code: one purpose, one e-mail and, except for registration, one card. */
export type CodeTarget = { purpose: CodePurpose; email: string; customerId?: string | null };

const PER_ADDRESS: GuardLimit = { name: "codes-address", points: 200, seconds: 60 * 60 };
const PER_EMAIL: GuardLimit = { name: "codes-email", points: 5, seconds: 60 * 60 };
// Codes that staff request have their own limits. Otherwise a stranger in the shop's Wi-Fi could use up the limits and
// block a customer's payment.
const PER_COUNTER_ADDRESS: GuardLimit = { name: "codes-counter-address", points: 200, seconds: 60 * 60 };
const PER_COUNTER_EMAIL: GuardLimit = { name: "codes-counter-email", points: 20, seconds: 60 * 60 };

/** What the stored hash of a code is of. It has a key, since six digits could be found by brute force in a leaked table. */
const hashedText = (target: CodeTarget, code: string): string =>
  [target.purpose, target.email, target.customerId ?? "", code].join("\n");

/** Counts one send: 5 an hour per e-mail (20 for codes that staff request) and 200 per address. Throws rate_limited. */
async function countSend(db: Db, target: CodeTarget, address: string): Promise<void> {
  const atCounter = target.purpose === "redeem" || target.purpose === "unfreeze";
  await consume(db, atCounter ? PER_COUNTER_ADDRESS : PER_ADDRESS, address);
  await consume(db, atCounter ? PER_COUNTER_EMAIL : PER_EMAIL, target.email);
}

/** Creates a six-digit code, which replaces the target's older one. Answers the code, of which only the hash is stored. */
export async function issueCode(tx: Tx, target: CodeTarget, address: string, now: Date): Promise<string> {
  const code = String(randomInt(1_000_000)).padStart(6, "0");
  const { purpose, email, customerId = null } = target;
  await tx.code.updateMany({ where: { purpose, email, customerId, usedAt: null }, data: { usedAt: now } });
  await tx.code.create({
    data: {
      purpose,
      email,
      customerId,
      codeHash: macOf("mailed-codes", hashedText(target, code)).toString("hex"),
      address,
      createdAt: now,
      expiresAt: new Date(now.getTime() + CODE_SECONDS * 1000),
    },
    select: { id: true },
  });
  return code;
}

/**
 * Creates a code for the target and mails it with the template of its purpose. `merchant` is the name in the e-mail.
 * Answers how long the code is valid, in seconds. Throws rate_limited.
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
 * Checks a guess against the target's newest code, and spends the code if the guess is correct (unless `keep` leaves
 * that to the caller). One statement checks and counts, so that parallel guesses get no extra attempts. It must not run
 * in a transaction, whose rollback would undo the count. Answers undefined when there is no valid code.
 */
export async function guessCode(
  db: Db,
  target: CodeTarget,
  code: string,
  now: Date,
  { keep = false }: { keep?: boolean } = {},
): Promise<{ id: string; good: boolean } | undefined> {
  const { purpose, email, customerId = null } = target;
  const hashes = acceptedMacs("mailed-codes", hashedText(target, code)).map((mac) => mac.toString("hex"));
  const [guess] = await db.$queryRaw<{ id: string; good: boolean }[]>`
    update codes c
    set wrong = c.wrong + case when c.code_hash = any(${hashes}) then 0 else 1 end,
        used_at = case when (c.code_hash = any(${hashes}) and not ${keep})
          or (c.code_hash <> all(${hashes}) and c.wrong + 1 >= ${CODE_GUESSES}::int) then ${now}::timestamptz end
    from (select id from codes
      where purpose = ${purpose}::"CodePurpose" and email = ${email}
        and customer_id is not distinct from ${customerId}::uuid
      order by created_at desc, id desc limit 1) newest
    where c.id = newest.id and c.used_at is null and c.expires_at > ${now}::timestamptz
    returning c.id::text as id, c.code_hash = any(${hashes}) as good`;
  return guess;
}

/**
 * Verifies the target's newest code and spends it, unless `keep` leaves that to spendKeptCode.
 * Throws code_invalid, or code_expired when the newest code is unused and past its 300 seconds.
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
 * Spends a code that was verified with `keep`, in the transaction that it authorizes. If that transaction fails, the
 * code stays valid. Throws code_invalid if the code was spent in the meantime.
 */
export async function spendKeptCode(tx: Tx, id: string, now: Date): Promise<void> {
  const { count } = await tx.code.updateMany({ where: { id, usedAt: null }, data: { usedAt: now } });
  if (count === 0) throw new DomainError("code_invalid");
}
