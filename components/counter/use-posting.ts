"use client";

import { useCallback, useRef, useState } from "react";
import { newIdempotencyKey } from "@/components/forms/idempotency-key";
import { type Attempt, clearAttempt, isRateLimited, loadOrCreateAttempt, saveAttempt } from "./attempt";
import type {
  Answer,
  CounterApi,
  CounterCustomer,
  CounterMode,
  CounterMovement,
  CounterPosting,
} from "./types";

/** The server's request for a proof: the reason, and how many proofs it has refused. */
export type ProofRequest = { reason: string; refused: number };

export type PostingState =
  | { step: "editing"; refusal: string | null }
  | { step: "posting"; proof: ProofRequest | null }
  /** No answer came: only the same request may be sent again. */
  | { step: "unanswered" }
  | { step: "proof"; proof: ProofRequest }
  | { step: "done"; movement: CounterMovement; answeredAt: number };

/** Sends the live code only if the server asks for a proof. If the code has expired by then, the first answer counts. */
async function postWithLiveCode(
  api: CounterApi,
  { mode, key }: Attempt,
  posting: CounterPosting,
  liveCode: string | null,
): Promise<Answer<CounterMovement>> {
  const firstAnswer = await api.post(mode, posting, key);
  const proofRequired = firstAnswer.kind === "refused" && firstAnswer.code === "proof_required";
  if (!proofRequired || !liveCode || posting.proof) return firstAnswer;
  const secondAnswer = await api.post(mode, { ...posting, proof: liveCode }, key);
  return secondAnswer.kind === "refused" && secondAnswer.code === "proof_invalid"
    ? firstAnswer
    : secondAnswer;
}

/**
 * Posts one movement for one customer, with a key that is made when the dialog opens and kept until the answer is
 * definite. A second call while one is in progress does nothing.
 */
export function usePosting(
  api: CounterApi,
  mode: CounterMode,
  customer: CounterCustomer,
  /** The live code that was scanned with the card, sent only if the server asks for a proof. */
  liveCode: string | null,
  callbacks: { onPosted: (movement: CounterMovement) => void; onSignedOut: (ended: boolean) => void },
) {
  const [attempt, setAttempt] = useState<Attempt>(() => loadOrCreateAttempt(api.user, mode, customer));
  const [state, setState] = useState<PostingState>(
    attempt.sent ? { step: "unanswered" } : { step: "editing", refusal: null },
  );
  const busy = useRef(false);

  const renewKey = useCallback(
    (sent: CounterPosting | null) => {
      const next = { user: api.user, mode, customer, key: newIdempotencyKey(), sent };
      clearAttempt(next);
      setAttempt(next);
    },
    [api.user, mode, customer],
  );

  const send = async (posting: CounterPosting) => {
    if (busy.current) return;
    busy.current = true;
    const current = { ...attempt, sent: posting };
    saveAttempt(current);
    setAttempt(current);
    const proof = state.step === "proof" ? state.proof : null;
    setState({ step: "posting", proof });
    const answer = await postWithLiveCode(api, current, posting, liveCode);
    busy.current = false;
    if (answer.kind === "lost" || (state.step === "unanswered" && isRateLimited(answer)))
      return setState({ step: "unanswered" });
    if (answer.kind === "signedOut") {
      setState({ step: "unanswered" });
      return callbacks.onSignedOut(answer.ended);
    }
    if (answer.kind === "ok") {
      clearAttempt(current);
      setState({ step: "done", movement: answer.data, answeredAt: Date.now() });
      return callbacks.onPosted(answer.data);
    }
    const needsProof = answer.code === "proof_required" || answer.code === "proof_invalid";
    renewKey(needsProof ? { ...posting, proof: undefined } : null);
    setState(
      needsProof
        ? {
            step: "proof",
            proof: { reason: answer.message, refused: posting.proof ? (proof?.refused ?? 0) + 1 : 0 },
          }
        : { step: "editing", refusal: answer.message },
    );
  };

  return {
    state,
    sent: attempt.sent,
    send,
    retry: () => attempt.sent && send(attempt.sent),
    prove: (proof: string) => attempt.sent && send({ ...attempt.sent, proof }),
    edit: () => setState({ step: "editing", refusal: null }),
  };
}
