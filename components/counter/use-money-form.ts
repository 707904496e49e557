"use client";

import { useLocale, useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { followKeep } from "@/components/accounts/session/stored-session";
import { newIdempotencyKey } from "@/components/forms/idempotency-key";
import type { BranchChoice } from "@/lib/counter/names";
import { cleanSaleRef, formatPoints } from "@/lib/domain/money";
import { TENDERS, type Tender } from "@/lib/ledger/model/tender";
import {
  type Attempt,
  clearAttempt,
  forgetTyped,
  loadOrCreateAttempt,
  type Place,
  readLastBranch,
  saveAttempt,
  saveLastBranch,
} from "./attempt";
import { checkAmount, mostPoints } from "./check-amount";
import { afterAnswer, asksForProof, type PostingState } from "./posting-state";
import type { CounterCustomer, CounterMode, CounterMovement, CounterPosting, CounterSetting } from "./types";

export type MoneyFormProps = {
  setting: CounterSetting;
  mode: CounterMode;
  customer: CounterCustomer;
  /** The live code that was scanned with the card. It is the confirmation of a redemption. */
  liveCode: string | null;
  /** The merchant in a super_admin's link. */
  merchantId?: string | null;
  startAmount?: string;
  onPosted: (movement: CounterMovement | null, mode: CounterMode) => void;
};

export type MoneyForm = ReturnType<typeof useMoneyForm>;

function defaultBranch(branches: BranchChoice[], home: string | null): string {
  const known = [home, readLastBranch()].find((id) => branches.some((branch) => branch.id === id));
  return known ?? (branches.length === 1 ? (branches[0]?.id ?? "") : "");
}

function usePostings(props: MoneyFormProps) {
  const postings = { topup: usePosting(props, "topup"), redeem: usePosting(props, "redeem") };
  const [mode, setMode] = useState<CounterMode>(() => {
    const isUnanswered = (one: CounterMode) => postings[one].state.step === "unanswered";
    const other = props.mode === "topup" ? "redeem" : "topup";
    return isUnanswered(other) && !isUnanswered(props.mode) ? other : props.mode;
  });
  return { mode, setMode, posting: postings[mode] };
}

/** The state of the sheet: its fields, their validation and the posting. */
export function useMoneyForm(props: MoneyFormProps) {
  const { setting, customer, liveCode } = props;
  const t = useTranslations("counter");
  const locale = useLocale();
  const { mode, setMode, posting } = usePostings(props);
  const { attempt, sent, state } = posting;
  const [typed] = useState(sent ? undefined : attempt.typed);
  const own = customer.merchant;
  const choices = setting.merchants ?? [];
  const merchants = own && !choices.some(({ id }) => id === own.id) ? [own, ...choices] : choices;
  const branchesOf = (id: string) => merchants.find((merchant) => merchant.id === id)?.branches ?? [];
  const [amount, setAmount] = useState(
    sent ? String(sent.points) : (typed?.amount ?? props.startAmount ?? ""),
  );
  const [saleRef, setSaleRef] = useState(sent?.saleRef ?? typed?.saleRef ?? "");
  const [place, setPlace] = useState<Place>(() => {
    if (typed) return typed.place;
    const merchantId = own?.id ?? props.merchantId ?? "";
    const branchId = sent?.branchId ?? defaultBranch(branchesOf(merchantId), setting.homeBranchId);
    return { merchantId: sent?.merchantId ?? merchantId, branchId };
  });
  const merchant = merchants.find(({ id }) => id === place.merchantId) ?? null;
  const tenders = merchant?.tenders ?? TENDERS;
  const [chosen, setTender] = useState<Tender | null>(sent?.tender ?? typed?.tender ?? null);
  // Cash unless another is chosen, or the first that the merchant accepts.
  const tender =
    [chosen, "cash" as const].find((one) => one && tenders.includes(one)) ?? tenders[0] ?? "cash";
  useEffect(() => {
    if (typed) forgetTyped(attempt);
  }, [typed, attempt]);
  useEffect(() => {
    if (state.step !== "editing") return;
    return followKeep(() => saveAttempt({ ...attempt, typed: { amount, saleRef, tender: chosen, place } }));
  }, [state.step, attempt, amount, saleRef, chosen, place]);
  const checked = checkAmount(amount, mode, customer);
  const choosesMerchant = setting.merchants !== null;
  const most = mostPoints(mode, customer);
  const closed =
    merchant?.suspended === true || customer.status === "frozen" || customer.status === "blocked";
  const ready =
    !closed &&
    checked.points !== null &&
    place.branchId !== "" &&
    (!choosesMerchant || place.merchantId !== "");
  const unconfirmed = customer.limits?.unconfirmed ?? null;
  const needsProof = mode === "redeem" && unconfirmed !== null && (checked.points ?? 0) > unconfirmed;
  const proofReason = t("confirmAbove", { points: formatPoints(unconfirmed ?? 0, locale) });
  const submit = () => {
    if (!ready || checked.points === null) return;
    saveLastBranch(place.branchId);
    const bill = cleanSaleRef(saleRef);
    const body: CounterPosting = {
      customerId: customer.publicId,
      points: checked.points,
      branchId: place.branchId,
      ...(mode === "topup" ? { tender } : {}),
      ...(bill ? { saleRef: bill } : {}),
      ...(choosesMerchant ? { merchantId: place.merchantId } : {}),
    };
    if (needsProof && !liveCode) posting.askProof(body, proofReason);
    else void posting.send(body);
  };
  return {
    setting,
    customer,
    liveCode,
    mode,
    setMode,
    posting,
    locked: state.step !== "editing",
    merchants,
    branches: branchesOf(place.merchantId),
    amount,
    setAmount,
    tenders,
    tender,
    setTender,
    /** Whether the merchant wants the bill number; one of an attempt before a reload stays visible. */
    asksSaleRef: (merchant?.askSaleRef ?? true) || saleRef !== "",
    suspended: merchant?.suspended ?? false,
    closed,
    saleRef,
    setSaleRef,
    place,
    setPlace,
    checked,
    most,
    needsProof,
    proofReason,
    ready,
    submit,
  };
}

/** A call that failed says nothing of the posting. */
const LOST = { kind: "lost" } as const;

/** Posts for one customer, with a key that is kept until the answer is definite; one request at a time. */
function usePosting({ setting, customer, onPosted, ...props }: MoneyFormProps, mode: CounterMode) {
  const { api, onSignedOut } = setting;
  const liveCode = mode === "redeem" ? props.liveCode : null;
  const [attempt, setAttempt] = useState<Attempt>(() => loadOrCreateAttempt(api.user, mode, customer));
  const [state, setState] = useState<PostingState>(
    attempt.sent ? { step: "unanswered" } : { step: "editing", refusal: null },
  );
  const busy = useRef(false);

  const renewKey = (sent: CounterPosting | null) => {
    const next = { user: api.user, mode, customer, key: newIdempotencyKey(), sent };
    clearAttempt(next);
    setAttempt(next);
  };

  // The live code is sent only if the server asks for a confirmation. If it has expired by then, the first answer counts.
  const post = async (posting: CounterPosting, key: string, again: boolean) => {
    const first = await api.post(mode, posting, key, again);
    if (!asksForProof(first) || !liveCode || posting.proof) return first;
    const second = await api.post(mode, { ...posting, proof: liveCode }, key);
    return second.kind === "refused" && second.code === "proof_invalid" ? first : second;
  };

  const send = async (posting: CounterPosting) => {
    if (busy.current) return;
    busy.current = true;
    const current = { ...attempt, sent: posting };
    saveAttempt(current);
    setAttempt(current);
    setState({ step: "posting", proof: state.step === "proof" ? state.proof : null });
    const answer = await post(posting, attempt.key, state.step === "unanswered").catch(() => LOST);
    busy.current = false;
    const outcome = afterAnswer(state, posting, answer, Date.now());
    if (outcome.key === "used") clearAttempt(current);
    if (outcome.key === "renew") {
      renewKey(outcome.state.step === "proof" ? { ...posting, proof: undefined } : null);
    }
    setState(outcome.state);
    if (outcome.signedOut) onSignedOut(outcome.signedOut.ended);
    if (outcome.state.step === "done") onPosted(outcome.state.movement, mode);
  };

  const giveUp = async () => {
    if (busy.current) return;
    busy.current = true;
    setState({ step: "posting", proof: null });
    const answer = await api.giveUp(attempt.key).catch(() => LOST);
    busy.current = false;
    if (answer.kind !== "ok") {
      setState({ step: "unanswered", ...(answer.kind === "refused" && { refusal: answer.message }) });
      if (answer.kind === "signedOut") onSignedOut(answer.ended);
      return;
    }
    renewKey(null);
    setState({ step: "givenUp", undone: answer.data.undone });
    if (answer.data.undone) onPosted(null, mode);
  };

  return {
    state,
    proof: state.step === "proof" || state.step === "posting" ? state.proof : null,
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
    edit: () => {
      renewKey(null);
      setState({ step: "editing", refusal: null });
    },
  };
}
