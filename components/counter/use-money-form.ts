"use client";

import { useState } from "react";
import type { BranchChoice, MerchantChoice } from "@/lib/domain/counter";
import { TENDERS, type Tender } from "@/lib/domain/tender";
import { type CheckedAmount, checkAmount } from "./amount-input";
import { type Place, readLastBranch, saveLastBranch } from "./place-fields";
import type { CounterCustomer, CounterMode, CounterMovement, CounterSetting } from "./types";
import { usePosting } from "./use-posting";

export type MoneyFormProps = {
  setting: CounterSetting;
  mode: CounterMode;
  customer: CounterCustomer;
  /** The live code that was scanned with the card, the proof of a redemption. */
  liveCode: string | null;
  /** The merchant in a super_admin's link. */
  merchantId?: string | null;
  onPosted: (movement: CounterMovement) => void;
};

export type MoneyForm = ReturnType<typeof useMoneyForm>;

function withCustomerMerchant(
  merchants: MerchantChoice[] | null,
  own: MerchantChoice | null,
): MerchantChoice[] {
  if (!own || merchants?.some(({ id }) => id === own.id)) return merchants ?? (own ? [own] : []);
  return [own, ...(merchants ?? [])];
}

function defaultBranch(branches: BranchChoice[], home: string | null): string {
  const known = [home, readLastBranch()].find((id) => branches.some((branch) => branch.id === id));
  return known ?? (branches.length === 1 ? (branches[0]?.id ?? "") : "");
}

/** The state of the dialog: its fields, their validation and the posting. */
export function useMoneyForm(props: MoneyFormProps) {
  const { setting, mode, customer, liveCode } = props;
  const posting = usePosting(setting.api, mode, customer, mode === "redeem" ? liveCode : null, {
    onPosted: props.onPosted,
    onSignedOut: setting.onSignedOut,
  });
  const merchants = withCustomerMerchant(setting.merchants, customer.merchant);
  const branchesOf = (id: string) => merchants.find((merchant) => merchant.id === id)?.branches ?? [];
  const [amount, setAmount] = useState(posting.sent ? String(posting.sent.points) : "");
  const [saleRef, setSaleRef] = useState(posting.sent?.saleRef ?? "");
  const [place, setPlace] = useState<Place>(() => {
    const merchantId = customer.merchant?.id ?? props.merchantId ?? "";
    const branchId = posting.sent?.branchId ?? defaultBranch(branchesOf(merchantId), setting.homeBranchId);
    return { merchantId: posting.sent?.merchantId ?? merchantId, branchId };
  });
  const merchant = merchants.find(({ id }) => id === place.merchantId) ?? null;
  const tenders = merchant?.tenders ?? TENDERS;
  const [chosen, setTender] = useState<Tender | null>(posting.sent?.tender ?? null);
  // Cash unless another is chosen, or the first that the merchant accepts.
  const tender =
    [chosen, "cash" as const].find((one) => one && tenders.includes(one)) ?? tenders[0] ?? "cash";
  const checked: CheckedAmount = checkAmount(amount, mode, customer);
  const choosesMerchant = setting.merchants !== null;
  const suspended = merchant?.suspended ?? false;
  const ready =
    !suspended &&
    checked.points !== null &&
    place.branchId !== "" &&
    (!choosesMerchant || place.merchantId !== "");
  const submit = () => {
    if (!ready || checked.points === null) return;
    saveLastBranch(place.branchId);
    void posting.send({
      customerId: customer.id,
      points: checked.points,
      branchId: place.branchId,
      ...(mode === "topup" ? { tender } : {}),
      ...(saleRef.trim() ? { saleRef: saleRef.trim() } : {}),
      ...(choosesMerchant ? { merchantId: place.merchantId } : {}),
    });
  };
  return {
    posting,
    merchants,
    branches: branchesOf(place.merchantId),
    amount,
    setAmount,
    tenders,
    tender,
    setTender,
    /** Whether the merchant wants the bill number; one of an attempt before a reload stays visible. */
    asksSaleRef: (merchant?.askSaleRef ?? true) || saleRef !== "",
    suspended,
    saleRef,
    setSaleRef,
    place,
    setPlace,
    checked,
    ready,
    submit,
  };
}
