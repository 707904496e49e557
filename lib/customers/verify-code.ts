import { spendCode } from "@/lib/db/codes";
import type { PublicContext } from "@/lib/db/context";
import { VERIFICATION_SECONDS, type VerifyCode } from "@/lib/domain/schemas/customer";
import { hashSecret, newSecret } from "./secrets";

/** The proof of a verified e-mail, shown once. */
export type Verified = { verification: string; email: string };

/**
 * Proves an e-mail by its code, for one registration within 15 minutes. With `keepsSecret` nobody registers without the
 * secret: a client that is known to keep it needs no leave for the address, which a whole shop's Wi-Fi shares.
 * Throws code_invalid (wrong, used, burnt or replaced) and code_expired.
 */
export async function verifyCode(
  ctx: PublicContext,
  input: VerifyCode & { keepsSecret?: boolean },
): Promise<Verified> {
  const now = ctx.clock();
  await spendCode(ctx.db, { purpose: "register", email: input.email }, input.code, now);
  const verification = newSecret();
  await ctx.db.verification.create({
    data: {
      purpose: "register",
      email: input.email,
      tokenHash: hashSecret(verification),
      address: input.keepsSecret ? null : ctx.address,
      createdAt: now,
      expiresAt: new Date(now.getTime() + VERIFICATION_SECONDS * 1000),
    },
    select: { id: true },
  });
  return { verification, email: input.email };
}
verifyCode.permission = "public" as const;
