import { guessCode } from "@/lib/db/codes";
import type { Context } from "@/lib/db/context";
import { merchantWhere, type Reach } from "@/lib/domain/actor";
import type { Posting } from "./batch";
import { liveCodeStep } from "./live-code";

/** What a posting says of the card holder's presence. `proofRef` is spent with it, once a customer. */
export type Proof = Pick<Posting, "proof" | "proofRef">;

/**
 * Judges what was shown to prove that the card holder is there: the card's live code or the six digits mailed to the
 * customer (whose wrong guesses are counted). It spends nothing: the posting does, so a refused one costs no proof.
 * A wrong proof is an answer too, since a repeated request must get its first result whatever it now carries.
 */
export async function judgeProof(
  ctx: Context,
  reach: Reach,
  customerId: string,
  shown: string | undefined,
): Promise<Proof> {
  if (!shown) return { proof: "none" };
  const customer = await ctx.db.customer.findFirst({
    where: { OR: [{ id: customerId }, { publicId: customerId }], ...merchantWhere(reach) },
    select: { id: true, email: true },
  });
  if (!customer) return { proof: "invalid" };
  const now = ctx.clock();
  if (/^\d{6}$/.test(shown)) {
    if (!customer.email) return { proof: "invalid" };
    const target = { purpose: "redeem" as const, email: customer.email, customerId: customer.id };
    const guess = await guessCode(ctx.db, target, shown, now, { keep: true });
    return guess?.good ? { proof: "mailed_code", proofRef: `mail:${guess.id}` } : { proof: "invalid" };
  }
  const step = liveCodeStep(customer.id, shown, now);
  return step === null ? { proof: "invalid" } : { proof: "live_code", proofRef: `live:${step}` };
}
