import type { Answer, CounterMovement, CounterPosting } from "./types";

/** A proof is asked for: the reason, and how many proofs were refused. */
export type ProofRequest = { reason: string; refused: number };

export type PostingState =
  | { step: "editing"; refusal: string | null }
  | { step: "posting"; proof: ProofRequest | null }
  /** No answer came: only the same request may be sent again. */
  | { step: "unanswered" }
  | { step: "proof"; proof: ProofRequest }
  | { step: "done"; movement: CounterMovement; answeredAt: number };

/** What an answer means: the state to show, and whether its key is used up or must be sent again. */
export type PostingTransition = {
  state: PostingState;
  key: "keep" | "used" | "renew";
  signedOut?: { ended: boolean };
};

/** The answers that ask for a proof, and those that refuse the one that was sent. */
const REQUIRED: ReadonlySet<string> = new Set(["proof_required", "worker_proof_required"]);
const REFUSED: ReadonlySet<string> = new Set(["proof_invalid", "proof_amount"]);

/** Whether the answer asks for a proof that was not sent. */
export function asksForProof(answer: Answer<unknown>): boolean {
  return answer.kind === "refused" && REQUIRED.has(answer.code);
}

/**
 * What follows the answer to a posting that was sent in the state `before`, at `now` in milliseconds. An answer that is
 * not definite keeps the key. After a lost answer this includes a rate-limited repeat, because the server has not
 * looked up its key then.
 */
export function afterAnswer(
  before: PostingState,
  posting: CounterPosting,
  answer: Answer<CounterMovement>,
  now: number,
): PostingTransition {
  if (answer.kind === "lost") return { state: { step: "unanswered" }, key: "keep" };
  if (answer.kind === "signedOut") {
    return { state: { step: "unanswered" }, key: "keep", signedOut: { ended: answer.ended } };
  }
  if (answer.kind === "ok") {
    return { state: { step: "done", movement: answer.data, answeredAt: now }, key: "used" };
  }
  if (before.step === "unanswered" && answer.code === "rate_limited") {
    return { state: { step: "unanswered" }, key: "keep" };
  }
  if (!REQUIRED.has(answer.code) && !REFUSED.has(answer.code)) {
    return { state: { step: "editing", refusal: answer.message }, key: "renew" };
  }
  const earlier = before.step === "proof" ? before.proof.refused : 0;
  const refused = posting.proof ? earlier + 1 : 0;
  return { state: { step: "proof", proof: { reason: answer.message, refused } }, key: "renew" };
}
