import { randomInt } from "node:crypto";
import type { Db, Tx } from "@/lib/db/client";
import type { PublicContext } from "@/lib/db/context";
import type { CodePurpose } from "@/lib/db/generated/client";
import { consume, type GuardLimit } from "@/lib/db/rate-limit";
import { DomainError } from "@/lib/domain/errors";
import type { Locale } from "@/lib/domain/roles";
import { queueEmail } from "@/lib/email/queue";
import { acceptedMacs, macOf } from "@/lib/secrets/secrets";

const CODE_SECONDS = 300;
/** The number of wrong guesses that invalidate a code. */
const CODE_GUESSES = 5;

/** The target of a code: one purpose, one e-mail and, except for registration, one card. */
export type CodeTarget = {
  purpose: CodePurpose;
  email: string;
  customerId?: string | null;
  /** The device that asks, if it is known to this e-mail (deviceKnownTo). Strangers cannot use its codes. */
  deviceId?: string | null;
};

/** Each purpose has its own limits: a stranger who uses up the limit of one purpose does not block the others. */
const sends = (of: "address" | "email" | "device", purpose: CodePurpose, points: number): GuardLimit => ({
  name: `codes-${of}-${purpose}`,
  points,
  seconds: 60 * 60,
});

/** The input of a code's stored hash, which is keyed: six digits could be guessed in a leaked table. */
const hashedText = (target: CodeTarget, code: string): string =>
  [target.purpose, target.email, target.customerId ?? "", code].join("\n");

/** Counts one send by e-mail and address, or by the known device, whatever strangers used up. Throws rate_limited. */
async function countSend(db: Db, target: CodeTarget, address: string): Promise<void> {
  const { purpose, email, deviceId } = target;
  if (deviceId) {
    await consume(db, sends("device", purpose, 5), `${deviceId}|${email}`);
    return;
  }
  // Staff request these with a session, at most one a purchase.
  const byStaff = purpose === "redeem" || purpose === "unfreeze";
  await consume(db, sends("address", purpose, 200), address);
  await consume(db, sends("email", purpose, byStaff ? 20 : 5), email);
}

/** Creates a code, which replaces the older one of this target and device. `points`: what it is good for, or less. */
export async function issueCode(
  tx: Tx,
  target: CodeTarget,
  address: string,
  now: Date,
  points?: number,
): Promise<string> {
  const code = String(randomInt(1_000_000)).padStart(6, "0");
  const { purpose, email, customerId = null, deviceId = null } = target;
  await tx.code.updateMany({
    where: { purpose, email, customerId, deviceId, usedAt: null },
    data: { usedAt: now },
  });
  await tx.code.create({
    data: {
      purpose,
      email,
      customerId,
      deviceId,
      points,
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
 * Creates a code and mails it with the template of its purpose. `merchant` and `shop` are the sender's name and id, `email` the
 * masked address that replaces the target's; `beside` writes in the same transaction. Answers the code's seconds.
 */
export async function mailCode(
  ctx: Pick<PublicContext, "db" | "address" | "clock">,
  target: CodeTarget,
  {
    locale,
    shop = null,
    beside,
    ...params
  }: {
    merchant: string;
    /** The API key that asks, which the e-mail names. */
    key?: string;
    locale: Locale;
    points?: number;
    email?: string;
    shop?: string | null | undefined;
    beside?: (tx: Tx) => Promise<void>;
  },
): Promise<{ seconds: number }> {
  await countSend(ctx.db, target, ctx.address);
  await ctx.db.$transaction(async (tx) => {
    const code = await issueCode(tx, target, ctx.address, ctx.clock(), params.points);
    await queueEmail(tx, {
      to: target.email,
      template: `code_${target.purpose}`,
      params: { ...params, code, minutes: CODE_SECONDS / 60 },
      locale,
      shop,
      customerId: target.customerId,
      expiresIn: CODE_SECONDS,
    });
    await beside?.(tx);
  });
  return { seconds: CODE_SECONDS };
}

/** `points`: what the code is good for, or less; null where it names no amount. `triesLeft`: further wrong guesses. */
type Guess = { id: string; good: boolean; points: number | null; triesLeft: number };

/**
 * Checks a guess against the newest code, a known device's own one first, and spends it unless `keep`. One statement checks and
 * counts, so that parallel guesses get no extra attempts; a rollback would undo that, so call it outside of transactions.
 */
export async function guessCode(
  db: Db,
  target: CodeTarget,
  code: string,
  now: Date,
  { keep }: { keep: boolean },
): Promise<Guess | undefined> {
  const { purpose, email, customerId = null, deviceId = null } = target;
  const hashes = acceptedMacs("mailed-codes", hashedText(target, code)).map((mac) => mac.toString("hex"));
  const [guess] = await db.$queryRaw<Guess[]>`
    update codes c
    set wrong = c.wrong + case when c.code_hash = any(${hashes}) then 0 else 1 end,
        used_at = case when (c.code_hash = any(${hashes}) and not ${keep})
          or (c.code_hash <> all(${hashes}) and c.wrong + 1 >= ${CODE_GUESSES}::int) then ${now}::timestamptz end
    from (select id from codes
      where purpose = ${purpose}::"CodePurpose" and email = ${email}
        and customer_id is not distinct from ${customerId}::uuid
        and (device_id is null or device_id = ${deviceId}::text)
      order by (device_id is not null and used_at is null and expires_at > ${now}::timestamptz) desc,
        created_at desc, id desc limit 1) newest
    where c.id = newest.id and c.used_at is null and c.expires_at > ${now}::timestamptz
    returning c.id::text as id, c.code_hash = any(${hashes}) as good, c.points,
      ${CODE_GUESSES}::int - c.wrong as "triesLeft"`;
  return guess;
}

/** Spends the newest code unless `keep`. Throws code_invalid (a card's with triesLeft), or code_expired. */
export async function spendCode(
  db: Db,
  target: CodeTarget,
  code: string,
  now: Date,
  options = { keep: false },
): Promise<{ id: string }> {
  const { purpose, email, customerId = null, deviceId = null } = target;
  const guess = await guessCode(db, target, code, now, options);
  if (guess?.good) return { id: guess.id };
  // To a stranger a code of a sign-up says nothing of itself.
  if (guess) throw new DomainError("code_invalid", customerId ? { triesLeft: guess.triesLeft } : {});
  const newest = await db.code.findFirst({
    where: { purpose, email, customerId, OR: [{ deviceId: null }, ...(deviceId ? [{ deviceId }] : [])] },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    select: { usedAt: true, expiresAt: true },
  });
  throw new DomainError(
    newest && !newest.usedAt && newest.expiresAt <= now ? "code_expired" : "code_invalid",
  );
}

/** As spendCode with `keep`; answers the id for spendKeptCode. A refusal, also of a missing code, names the field at `path`. */
export async function checkCode(
  db: Db,
  target: CodeTarget,
  code: string | undefined,
  now: Date,
  path: string,
): Promise<string> {
  try {
    if (code === undefined) throw new DomainError("code_invalid");
    return (await spendCode(db, target, code, now, { keep: true })).id;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new DomainError(error.code, {}, [{ path, message: `errors.${error.code}` }]);
  }
}

/** Spends a kept code in the transaction that it authorizes. Throws code_invalid if it was spent in the meantime. */
export async function spendKeptCode(tx: Tx, id: string, now: Date): Promise<void> {
  const { count } = await tx.code.updateMany({ where: { id, usedAt: null }, data: { usedAt: now } });
  if (count === 0) throw new DomainError("code_invalid");
}
