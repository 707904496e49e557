"use client";

import { useCallback, useRef, useState } from "react";
import { type Attempt, forgetAttempt, isUnread, keepAttempt, newKey, openAttempt } from "./attempt";
import type {
  Answer,
  CounterApi,
  CounterCustomer,
  CounterMode,
  CounterMovement,
  CounterPosting,
} from "./types";

/** A proof is asked for: why, and how many were refused so far. */
export type ProofWanted = { reason: string; refused: number };

export type PostingState =
  | { step: "editing"; refusal: string | null }
  | { step: "posting"; proof: ProofWanted | null }
  /** No answer came: only the same request may be sent again. */
  | { step: "unsure" }
  | { step: "proof"; proof: ProofWanted }
  | { step: "done"; movement: CounterMovement; since: number };

/** Gives the live code only when a proof is asked for; one that is too old by then leaves the first answer standing. */
async function postWithLiveCode(
  api: CounterApi,
  { mode, key }: Attempt,
  posting: CounterPosting,
  liveCode: string | null,
): Promise<Answer<CounterMovement>> {
  const first = await api.post(mode, posting, key);
  const asked = first.kind === "refused" && first.code === "proof_required";
  if (!asked || !liveCode || posting.proof) return first;
  const second = await api.post(mode, { ...posting, proof: liveCode }, key);
  return second.kind === "refused" && second.code === "proof_invalid" ? first : second;
}

/**
 * Posts one movement for one customer, with a key that is made when the dialog opens and lives until the answer is
 * definite. A second call while one is under way does nothing.
 */
export function usePosting(
  api: CounterApi,
  mode: CounterMode,
  customer: CounterCustomer,
  /** The live code that was scanned with the card: given only when a proof is asked for. */
  liveCode: string | null,
  on: { posted: (movement: CounterMovement) => void; signedOut: (ended: boolean) => void },
) {
  const [attempt, setAttempt] = useState<Attempt>(() => openAttempt(api.user, mode, customer));
  const [state, setState] = useState<PostingState>(
    attempt.sent ? { step: "unsure" } : { step: "editing", refusal: null },
  );
  const busy = useRef(false);

  const renew = useCallback(
    (sent: CounterPosting | null) => {
      const next = { user: api.user, mode, customer, key: newKey(), sent };
      forgetAttempt(next);
      setAttempt(next);
    },
    [api.user, mode, customer],
  );

  const send = async (posting: CounterPosting) => {
    if (busy.current) return;
    busy.current = true;
    const current = { ...attempt, sent: posting };
    keepAttempt(current);
    setAttempt(current);
    const proof = state.step === "proof" ? state.proof : null;
    setState({ step: "posting", proof });
    const answer = await postWithLiveCode(api, current, posting, liveCode);
    busy.current = false;
    if (answer.kind === "lost" || (state.step === "unsure" && isUnread(answer)))
      return setState({ step: "unsure" });
    if (answer.kind === "signedOut") {
      setState({ step: "unsure" });
      return on.signedOut(answer.ended);
    }
    if (answer.kind === "ok") {
      forgetAttempt(current);
      setState({ step: "done", movement: answer.data, since: Date.now() });
      return on.posted(answer.data);
    }
    const needsProof = answer.code === "proof_required" || answer.code === "proof_invalid";
    renew(needsProof ? { ...posting, proof: undefined } : null);
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
