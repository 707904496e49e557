"use client";

import { useCallback, useRef, useState } from "react";
import { newIdempotencyKey } from "@/components/forms/idempotency-key";
import { type Attempt, clearAttempt, loadOrCreateAttempt, saveAttempt } from "./attempt";
import { afterAnswer, asksForProof, type PostingState } from "./posting-state";
import type {
  Answer,
  CounterCustomer,
  CounterMode,
  CounterMovement,
  CounterPosting,
  CounterTransport,
} from "./types";

/**
 * Sends the live code only if the server asks for a confirmation. If the code has expired by then, the first
 * answer counts.
 */
async function postWithLiveCode(
  transport: CounterTransport,
  { mode, key }: Attempt,
  posting: CounterPosting,
  liveCode: string | null,
  again: boolean,
): Promise<Answer<CounterMovement>> {
  const firstAnswer = await transport.post(mode, posting, key, again);
  if (!asksForProof(firstAnswer) || !liveCode || posting.proof) return firstAnswer;
  const secondAnswer = await transport.post(mode, { ...posting, proof: liveCode }, key);
  return secondAnswer.kind === "refused" && secondAnswer.code === "proof_invalid"
    ? firstAnswer
    : secondAnswer;
}

/**
 * Posts one movement for one customer, with a key that is kept until the answer is definite. A second call while one is in
 * progress does nothing.
 */
export function usePosting(
  transport: CounterTransport,
  user: string,
  mode: CounterMode,
  customer: CounterCustomer,
  /** The live code that was scanned with the card. It is sent only if the server asks for a confirmation. */
  liveCode: string | null,
  callbacks: { onPosted: (movement: CounterMovement | null) => void; onSignedOut: (ended: boolean) => void },
) {
  const [attempt, setAttempt] = useState<Attempt>(() => loadOrCreateAttempt(user, mode, customer));
  const [state, setState] = useState<PostingState>(
    attempt.sent ? { step: "unanswered" } : { step: "editing", refusal: null },
  );
  const busy = useRef(false);

  const renewKey = useCallback(
    (sent: CounterPosting | null) => {
      const next = { user, mode, customer, key: newIdempotencyKey(), sent };
      clearAttempt(next);
      setAttempt(next);
    },
    [user, mode, customer],
  );

  const send = async (posting: CounterPosting) => {
    if (busy.current) return;
    busy.current = true;
    const current = { ...attempt, sent: posting };
    saveAttempt(current);
    setAttempt(current);
    const before = state;
    setState({ step: "posting", proof: state.step === "proof" ? state.proof : null });
    const again = before.step === "unanswered";
    const answer = await postWithLiveCode(transport, current, posting, liveCode, again).catch(
      // A call that failed says nothing of the posting.
      (): Answer<CounterMovement> => ({ kind: "lost" }),
    );
    busy.current = false;
    const outcome = afterAnswer(before, posting, answer, Date.now());
    if (outcome.key === "used") clearAttempt(current);
    if (outcome.key === "renew") {
      renewKey(outcome.state.step === "proof" ? { ...posting, proof: undefined } : null);
    }
    setState(outcome.state);
    if (outcome.signedOut) callbacks.onSignedOut(outcome.signedOut.ended);
    if (outcome.state.step === "done") callbacks.onPosted(outcome.state.movement);
  };

  const giveUp = async () => {
    if (busy.current) return;
    busy.current = true;
    setState({ step: "posting", proof: null });
    const answer = await transport.giveUp(attempt.key).catch(() => ({ kind: "lost" }) as const);
    busy.current = false;
    if (answer.kind !== "ok") {
      setState({ step: "unanswered", ...(answer.kind === "refused" && { refusal: answer.message }) });
      if (answer.kind === "signedOut") callbacks.onSignedOut(answer.ended);
      return;
    }
    renewKey(null);
    setState({ step: "givenUp", undone: answer.data.undone });
    if (answer.data.undone) callbacks.onPosted(null);
  };

  return {
    state,
    giveUp,
    sent: attempt.sent,
    attempt,
    send,
    retry: () => attempt.sent && send(attempt.sent),
    /** Asks for the confirmation before the posting is sent, if it is known that the posting needs one. */
    askProof: (posting: CounterPosting, reason: string) => {
      setAttempt({ ...attempt, sent: posting });
      setState({ step: "proof", proof: { reason, refused: 0 } });
    },
    prove: (proof: string) => attempt.sent && send({ ...attempt.sent, proof }),
    edit: () => setState({ step: "editing", refusal: null }),
  };
}
