import { expect, test } from "vitest";
import { afterAnswer, asksForProof, type PostingState } from "./posting-state";
import type { CounterMovement, CounterPosting } from "./types";

const posting: CounterPosting = { customerId: "c", points: 10, branchId: "b" };
const editing: PostingState = { step: "editing", refusal: null };
const refused = (code: string) => ({ kind: "refused" as const, code, message: `because ${code}` });

test("an answer uses its key up; a refusal shows its reason and takes a new key", () => {
  const data = { id: "m" } as CounterMovement;
  expect(afterAnswer(editing, posting, { kind: "ok", data }, 5)).toEqual({
    state: { step: "done", movement: data, answeredAt: 5 },
    key: "used",
  });
  expect(afterAnswer(editing, posting, refused("own_card"), 5)).toEqual({
    state: { step: "editing", refusal: "because own_card" },
    key: "renew",
  });
});

test("without a definite answer the key stays, also when the repeat is rate-limited", () => {
  const kept = { state: { step: "unanswered" }, key: "keep" };
  expect(afterAnswer(editing, posting, { kind: "lost" }, 5)).toEqual(kept);
  expect(afterAnswer({ step: "unanswered" }, posting, refused("rate_limited"), 5)).toEqual(kept);
  expect(afterAnswer(editing, posting, { kind: "signedOut", ended: true }, 5)).toEqual({
    ...kept,
    signedOut: { ended: true },
  });
  // The first of its key: nothing was posted.
  expect(afterAnswer(editing, posting, refused("rate_limited"), 5)).toMatchObject({ key: "renew" });
  expect(afterAnswer({ step: "unanswered" }, posting, refused("daily_cap"), 5)).toMatchObject({
    state: { step: "editing" },
    key: "renew",
  });
});

test("proofs are asked for, and counted when they are refused", () => {
  for (const code of ["proof_required", "worker_proof_required"]) {
    expect(asksForProof(refused(code))).toBe(true);
    expect(afterAnswer(editing, posting, refused(code), 5)).toEqual({
      state: { step: "proof", proof: { reason: `because ${code}`, refused: 0 } },
      key: "renew",
    });
  }
  expect(asksForProof(refused("proof_invalid"))).toBe(false);
  expect(asksForProof({ kind: "lost" })).toBe(false);
  const proved = { ...posting, proof: "123456" };
  const once = afterAnswer(editing, proved, refused("proof_invalid"), 5).state;
  expect(once).toMatchObject({ proof: { refused: 1 } });
  expect(afterAnswer(once, proved, refused("proof_amount"), 5).state).toMatchObject({
    proof: { refused: 2 },
  });
});
