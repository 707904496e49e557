"use client";

import { useState } from "react";
import type { BranchChoice, MerchantChoice } from "@/lib/domain/counter";
import type { Tender } from "@/lib/domain/movements";
import { type CheckedAmount, checkAmount } from "./amount-input";
import { lastBranch, type Place, rememberBranch } from "./place-fields";
import type { CounterCustomer, CounterMode, CounterMovement, CounterSetting } from "./types";
import { usePosting } from "./use-posting";

export type MoneyFormProps = {
  setting: CounterSetting;
  mode: CounterMode;
  customer: CounterCustomer;
  /** The live code that was scanned with the card: a redeem sends it along. */
  liveCode: string | null;
  /** The merchant that a super_admin's link names. */
  merchantId?: string | null;
  onPosted: (movement: CounterMovement) => void;
};

export type MoneyForm = ReturnType<typeof useMoneyForm>;

function withOwn(merchants: MerchantChoice[] | null, own: MerchantChoice | null): MerchantChoice[] {
  if (!own || merchants?.some(({ id }) => id === own.id)) return merchants ?? (own ? [own] : []);
  return [own, ...(merchants ?? [])];
}

function firstBranch(branches: BranchChoice[], home: string | null): string {
  const known = [home, lastBranch()].find((id) => branches.some((branch) => branch.id === id));
  return known ?? (branches.length === 1 ? (branches[0]?.id ?? "") : "");
}

/** The dialog's fields, what they say, and the posting they lead to. */
export function useMoneyForm(props: MoneyFormProps) {
  const { setting, mode, customer, liveCode } = props;
  const posting = usePosting(setting.api, mode, customer, mode === "redeem" ? liveCode : null, {
    posted: props.onPosted,
    signedOut: setting.onSignedOut,
  });
  const merchants = withOwn(setting.merchants, customer.merchant);
  const branchesOf = (id: string) => merchants.find((merchant) => merchant.id === id)?.branches ?? [];
  const [amount, setAmount] = useState(posting.sent ? String(posting.sent.points) : "");
  const [tender, setTender] = useState<Tender>(posting.sent?.tender ?? "cash");
  const [saleRef, setSaleRef] = useState(posting.sent?.saleRef ?? "");
  const [place, setPlace] = useState<Place>(() => {
    const merchantId = customer.merchant?.id ?? props.merchantId ?? "";
    const branchId = posting.sent?.branchId ?? firstBranch(branchesOf(merchantId), setting.homeBranchId);
    return { merchantId: posting.sent?.merchantId ?? merchantId, branchId };
  });
  const checked: CheckedAmount = checkAmount(amount, mode, customer.balance);
  const named = setting.merchants !== null;
  const ready = checked.points !== null && place.branchId !== "" && (!named || place.merchantId !== "");
  const submit = () => {
    if (!ready || checked.points === null) return;
    rememberBranch(place.branchId);
    void posting.send({
      customerId: customer.id,
      points: checked.points,
      branchId: place.branchId,
      ...(mode === "topup" ? { tender } : {}),
      ...(saleRef.trim() ? { saleRef: saleRef.trim() } : {}),
      ...(named ? { merchantId: place.merchantId } : {}),
    });
  };
  return {
    posting,
    merchants,
    branches: branchesOf(place.merchantId),
    amount,
    setAmount,
    tender,
    setTender,
    saleRef,
    setSaleRef,
    place,
    setPlace,
    checked,
    ready,
    submit,
  };
}
