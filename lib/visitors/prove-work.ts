import type { Challenge, Solution } from "altcha-lib";
import { z } from "zod";
import type { PublicContext } from "@/lib/db/context";
import { consume, type GuardLimit } from "@/lib/db/rate-limit";
import { DomainError } from "@/lib/domain/errors";
import { CHALLENGE_SECONDS, isSolved, newPass } from "@/lib/secrets/proof-of-work";

const text = z.string().max(500);
const challengeSchema = z.object({
  parameters: z.looseObject({
    algorithm: text,
    nonce: text,
    salt: text,
    cost: z.int().positive().max(10_000),
    keyLength: z.int().positive().max(64),
    keyPrefix: text,
    keySignature: text,
    expiresAt: z.number(),
    data: z.record(z.string(), text),
  }),
  signature: text,
});
const solutionSchema = z.object({
  counter: z.int().nonnegative(),
  derivedKey: text,
  time: z.number().optional(),
});
const proveWorkSchema = z.object({ challenge: challengeSchema, solution: solutionSchema });

// A challenge is used once, whichever instance sees it; it is kept for as long as it lives.
const USES: GuardLimit = { name: "proof-of-work", points: 1, seconds: CHALLENGE_SECONDS };

/** Answers a pass for a solved challenge, once. Throws challenge_invalid. */
export async function proveWork(
  ctx: PublicContext,
  input: z.output<typeof proveWorkSchema>,
): Promise<{ pass: string }> {
  const { challenge, solution } = input;
  const solved = await isSolved(ctx.address, challenge as Challenge, solution as Solution).catch(() => false);
  if (!solved) throw new DomainError("challenge_invalid");
  await consume(ctx.db, USES, challenge.signature).catch((error: unknown) => {
    if (error instanceof DomainError) throw new DomainError("challenge_invalid");
    throw error;
  });
  return { pass: newPass(ctx.address) };
}
proveWork.permission = "public" as const;
proveWork.input = proveWorkSchema;
proveWork.errors = ["challenge_invalid"] as const;
