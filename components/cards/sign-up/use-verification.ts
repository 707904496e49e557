"use client";

import { useRouter, useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { sendCodeAction, signUpAction } from "@/app/customer/actions";
import { isWrongCode, refusalText, useMailedCode } from "@/components/codes/use-mailed-code";
import { useCountdown } from "@/components/ui/use-countdown";
import type { ActionResult } from "@/lib/domain/errors";
import {
  clearPendingSignUp,
  keepForForm,
  type PendingSignUp,
  readPendingSignUp,
  readSentCode,
  type SentCode,
  saveCustomerInfo,
  saveSentCode,
} from "../stored-data";

const CODE_MILLISECONDS = 300_000;
const REDIRECT_MILLISECONDS = 3_000;
const MAX_GUESSES = 5;

type NewCard = { customerId: string; isNewRegistration: boolean };

type Step = "code" | "registering" | "unregistered" | "done";

function refusalOf(message: string): Extract<ActionResult<never>, { ok: false }> {
  return { ok: false, code: "unavailable", message, fieldErrors: {} };
}

/** An action's result. `fallback` is the message of a refusal without one, and when the server cannot be reached. */
async function withFallback<T>(call: Promise<ActionResult<T>>, fallback: string): Promise<ActionResult<T>> {
  try {
    const result = await call;
    return result.ok || refusalText(result) !== "" ? result : { ...result, message: fallback };
  } catch {
    return refusalOf(fallback);
  }
}

const formPath = ({ iMerchantId }: PendingSignUp) => `/customer/signup/${iMerchantId}`;

function isReload(): boolean {
  const [entry] = performance.getEntriesByType("navigation");
  return entry instanceof PerformanceNavigationTiming && entry.type === "reload";
}

const signUpOf = (details: PendingSignUp, code: string) => ({
  fullName: details.sFullName,
  email: details.sEmail,
  phone: details.sPhoneNumber,
  dateOfBirth: details.dDateOfBirth,
  merchantId: details.iMerchantId,
  consent: details.bConsent,
  code,
});

/** The code of a sign-up: the last one that was mailed, and what the registration with it answered. */
function useSignUpCode(data: PendingSignUp | null) {
  const t = useTranslations("customerVerify");
  const [step, setStep] = useState<Step>("code");
  const [sent, setSent] = useState<SentCode | null>(null);
  const [unsent, setUnsent] = useState(false);
  const [refusal, setRefusal] = useState("");
  const [card, setCard] = useState("");

  function follow(email: string, mailed: SentCode) {
    setSent(mailed);
    saveSentCode(email, mailed);
  }

  /** The sign-up of this page, while any is stored: another tab's may have taken its place there. */
  function pendingHere(): PendingSignUp | null {
    const stored = readPendingSignUp();
    return stored?.sEmail ? (data ?? stored) : null;
  }

  async function sendCode(): Promise<ActionResult<unknown>> {
    const pending = pendingHere();
    if (!pending) return refusalOf(t("dataMissing"));
    const at = Date.now();
    setUnsent(false);
    const sending = sendCodeAction({ email: pending.sEmail, merchantId: pending.iMerchantId || undefined });
    const result = await withFallback(sending, t("sendFailed"));
    if (!result.ok) {
      setUnsent(true);
      return result;
    }
    // Only a code that was sent runs out; after a failure an earlier one keeps its own time.
    follow(pending.sEmail, { at, wrong: 0 });
    return result;
  }

  async function enter(code: string): Promise<ActionResult<NewCard & { details: PendingSignUp }>> {
    const details = pendingHere();
    if (!details) return refusalOf(t("dataMissing"));
    const result = await withFallback(signUpAction(signUpOf(details, code)), t("registerFailed"));
    if (result.ok) return { ok: true, data: { ...result.data, details } };
    if (isWrongCode(result)) {
      // On a retry, the first request may have used the code although its answer was lost.
      const wrong = step === "unregistered" ? MAX_GUESSES : (sent?.wrong ?? 0) + 1;
      if (sent) follow(details.sEmail, { ...sent, wrong });
      setStep("code");
    } else {
      setRefusal(refusalText(result));
      setStep("unregistered");
    }
    return result;
  }

  const code = useMailedCode({
    send: sendCode,
    enter,
    onDone: ({ customerId, isNewRegistration, details }) => {
      saveCustomerInfo({ customerId, customerData: details, isNewRegistration });
      clearPendingSignUp(details);
      setCard(customerId);
      setStep("done");
    },
  });

  return { step, setStep, sent, setSent, unsent, refusal, card, code };
}

/** The state of a verification: pending data, code, countdown in seconds, registration and card. */
export function useVerification() {
  const router = useRouter();
  const query = useSearchParams();
  const [data, setData] = useState<PendingSignUp | null>(null);
  const { step, setStep, sent, setSent, unsent, refusal, card, code } = useSignUpCode(data);
  const left = useCountdown(sent && sent.at + CODE_MILLISECONDS);
  const usedUp = sent !== null && sent.wrong >= MAX_GUESSES;
  const started = useRef(false);

  const sendFirst = code.send;
  useEffect(() => {
    if (started.current) return;
    started.current = true;
    const pending = readPendingSignUp();
    const merchant = pending?.iMerchantId || query.get("merchantId") || "";
    if (!pending?.sEmail) return router.replace(`/customer/signup/${merchant}`);
    setData(pending);
    if (pending.iMerchantId && pending.iMerchantId !== query.get("merchantId")) {
      // The server shows the merchant that the address names, and a reload may find another tab's sign-up.
      const named = new URLSearchParams(query);
      named.set("merchantId", pending.iMerchantId);
      router.replace(`/customer/verify?${named}`);
    }
    const stored = readSentCode(pending.sEmail);
    const fresh = stored !== null && Date.now() - stored.at < CODE_MILLISECONDS;
    if (query.get("from") === "signup") return setSent(stored ?? { at: Date.now(), wrong: 0 });
    if (fresh && isReload()) return setSent(stored);
    void sendFirst();
  }, [query, router, sendFirst, setSent]);

  useEffect(() => {
    if (step !== "done") return;
    const path = ["/customer/loyalty-card", card].filter(Boolean).join("/");
    const timer = setTimeout(() => router.replace(path), REDIRECT_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [step, card, router]);

  useEffect(() => {
    if (!data || step === "done") return;
    // The browser's own Back leads to the same form as the button.
    const onBack = () => window.location.pathname === formPath(data) && keepForForm(data);
    window.addEventListener("popstate", onBack);
    return () => window.removeEventListener("popstate", onBack);
  }, [data, step]);

  return {
    data,
    step,
    card,
    code,
    left,
    /** How many wrong guesses the code still allows; null before the first. */
    triesLeft: sent?.wrong ? Math.max(0, MAX_GUESSES - sent.wrong) : null,
    refusal,
    mayResend: !code.busy && (unsent || usedUp || left === 0),
    /** Sends the same details and code again: a refused registration does not use up the code. */
    retry: () => {
      setStep("registering");
      void code.submit();
    },
    back: () => {
      if (!data) return;
      clearPendingSignUp(data);
      keepForForm(data);
      router.push(formPath(data));
    },
  };
}
