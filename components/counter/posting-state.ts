import type { ActionResult } from "@/lib/domain/errors";
import type { Answer, CounterMovement, CounterPosting } from "./types";

export type ProofRequest = { reason: string; refused: number };

export type PostingState =
  | { step: "editing"; refusal: string | null }
  | { step: "posting"; proof: ProofRequest | null }
  /** No answer came: only the same request may be sent again, or given up. `refusal`: why it could not be given up. */
  | { step: "unanswered"; refusal?: string }
  | { step: "givenUp"; undone: boolean }
  | { step: "proof"; proof: ProofRequest }
  | { step: "done"; movement: CounterMovement; answeredAt: number };

/** The state after an answer, and its idempotency key: sent again ("keep"), used up ("used"), another next ("renew"). */
export type PostingTransition = {
  state: PostingState;
  key: "keep" | "used" | "renew";
  signedOut?: { ended: boolean };
};

const REQUIRED: ReadonlySet<string> = new Set(["proof_required", "worker_proof_required"]);
const REFUSED: ReadonlySet<string> = new Set(["proof_invalid", "proof_amount"]);

/** Answers whether the answer asks for a confirmation that was not sent. */
export function asksForProof(answer: Answer<unknown>): boolean {
  return answer.kind === "refused" && REQUIRED.has(answer.code);
}

/** The next state after an answer (`now` in milliseconds). The key is kept if the answer is not definite. */
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
  // The server has not looked up the key of a rate-limited repeat.
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

/** An answer in the form that forms and dialogs take; `lostMessage` is the message if no response came. */
export function toActionResult<T>(
  answer: Answer<T>,
  lostMessage: string,
  onSignedOut: (ended: boolean) => void,
): ActionResult<T> {
  if (answer.kind === "ok") return { ok: true, data: answer.data };
  if (answer.kind === "signedOut") onSignedOut(answer.ended);
  const message = answer.kind === "refused" ? answer.message : lostMessage;
  return { ok: false, code: "unavailable", message, fieldErrors: {} };
}
