"use client";

import {
  BanIcon,
  CircleGaugeIcon,
  CloudOffIcon,
  KeyRoundIcon,
  type LucideIcon,
  SnowflakeIcon,
  TriangleAlertIcon,
  Undo2Icon,
} from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Alert, AlertDescription, AlertTitle } from "@/components/ui/alert";
import { formatPoints } from "@/lib/domain/money";
import type { Locale } from "@/lib/domain/roles";
import type { CounterCustomer } from "./types";
import type { MoneyForm } from "./use-money-form";

type Notice = {
  variant: "warning" | "destructive" | "info";
  Icon: LucideIcon;
  title?: string;
  text: string;
};

/** The most important problem: before anything is sent, or after a lost answer. */
function useNotice(form: MoneyForm, customer: CounterCustomer, liveCode: string | null): Notice | null {
  const t = useTranslations();
  const locale = useLocale() as Locale;
  const { mode, posting, most } = form;
  const { state } = posting;
  if (state.step === "unanswered") {
    const text = state.refusal ?? t(mode === "topup" ? "counter.unsure" : "counter.unsureRedeem");
    return { variant: "warning", Icon: CloudOffIcon, title: t("counter.noAnswer"), text };
  }
  if (state.step === "givenUp") {
    const text = t(mode === "topup" ? "counter.givenUp.topup" : "counter.givenUp.redeem");
    const title = t(state.undone ? "counter.givenUp.undone" : "counter.givenUp.never");
    return { variant: "info", Icon: Undo2Icon, title, text };
  }
  if (form.suspended) {
    return { variant: "warning", Icon: TriangleAlertIcon, text: t("counter.suspended") };
  }
  if (customer.status === "blocked") {
    return { variant: "destructive", Icon: BanIcon, text: t("errors.customer_blocked") };
  }
  if (customer.status === "frozen") {
    return { variant: "warning", Icon: SnowflakeIcon, text: t("errors.customer_frozen") };
  }
  if (state.step === "editing" && state.refusal !== null) {
    const text = state.refusal || t(mode === "topup" ? "counter.addFailed" : "counter.redeemFailed");
    return { variant: "destructive", Icon: TriangleAlertIcon, text };
  }
  if (state.step !== "editing") return null;
  if (most === 0) {
    const limit = formatPoints(customer.limits?.maxBalance ?? 0, locale);
    const text = mode === "redeem" ? t("counter.empty") : t("counter.atLimit", { points: limit });
    return { variant: "warning", Icon: CircleGaugeIcon, text };
  }
  if (form.needsProof) {
    return liveCode
      ? { variant: "info", Icon: KeyRoundIcon, text: t("counter.confirmReady") }
      : {
          variant: "warning",
          Icon: KeyRoundIcon,
          text: form.proofReason,
        };
  }
  return null;
}

/**
 * The state of the card and the posting in the head of the sheet; without one, what the page says about the customer
 * (`children`).
 */
export function SheetNotice({
  form,
  customer,
  liveCode,
  children,
}: {
  form: MoneyForm;
  customer: CounterCustomer;
  liveCode: string | null;
  children: ReactNode;
}) {
  const notice = useNotice(form, customer, liveCode);
  if (!notice) return children;
  const { variant, Icon, title, text } = notice;
  return (
    <Alert variant={variant} className="px-3 py-2 short:py-1.5">
      <Icon aria-hidden />
      {title && <AlertTitle>{title}</AlertTitle>}
      <AlertDescription>{text}</AlertDescription>
    </Alert>
  );
}
