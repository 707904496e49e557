"use client";

import { useRouter, useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { useCallback, useEffect, useRef, useState } from "react";
import { useNotify } from "@/components/ui/notify";
import type { ActionResult } from "@/lib/domain/errors";
import { clearPending, keepInfo, keepSentAt, type PendingSignUp, readPending, readSentAt } from "./pending";
import { useCountdown } from "./use-countdown";

const CODE_MILLISECONDS = 300_000;
const REDIRECT_MILLISECONDS = 3_000;
const MAX_GUESSES = 5;

export type VerifyActions = {
  send: (input: { email: string; merchantId?: string }) => Promise<ActionResult<unknown>>;
  verify: (input: { email: string; code: string }) => Promise<ActionResult<unknown>>;
  register: (input: {
    fullName: string;
    email: string;
    phone: string;
    dateOfBirth: string;
    merchantId: string;
    consent?: boolean;
  }) => Promise<ActionResult<{ customerId: string; isNewRegistration: boolean }>>;
};

export type Step = "code" | "checking" | "registering" | "unregistered" | "done";

/** An action's answer; a server that cannot be reached is a refusal without words. */
async function answer<T>(call: Promise<ActionResult<T>>): Promise<{ data: T } | { message: string }> {
  try {
    const result = await call;
    if (result.ok) return { data: result.data };
    const details = Object.values(result.fieldErrors);
    return { message: [result.message, ...details].filter(Boolean).join(" ") };
  } catch {
    return { message: "" };
  }
}

function isReload(): boolean {
  const [entry] = performance.getEntriesByType("navigation");
  return entry instanceof PerformanceNavigationTiming && entry.type === "reload";
}

/** The whole course of a verification: the waiting data, the code, the countdown, the registration, the card. */
export function useVerification({ send, verify, register }: VerifyActions) {
  const t = useTranslations("customerVerify");
  const api = useTranslations("api");
  const router = useRouter();
  const query = useSearchParams();
  const notify = useNotify();
  const { left, runUntil } = useCountdown();
  const [data, setData] = useState<PendingSignUp | null>(null);
  const [step, setStep] = useState<Step>("code");
  const [problem, setProblem] = useState<string | null>(null);
  const [sending, setSending] = useState(false);
  const [mayResend, setMayResend] = useState(false);
  const [card, setCard] = useState("");
  const guesses = useRef(0);
  const entered = useRef(false);

  const sendCode = useCallback(
    async (to: PendingSignUp) => {
      const at = Date.now();
      runUntil(at + CODE_MILLISECONDS);
      setMayResend(false);
      setSending(true);
      const result = await answer(send({ email: to.sEmail, merchantId: to.iMerchantId || undefined }));
      setSending(false);
      if ("message" in result) {
        setMayResend(true);
        notify.error(result.message || t("sendFailed"));
        return setProblem(result.message || t("sendFailed"));
      }
      guesses.current = 0;
      keepSentAt(to.sEmail, at);
      notify.success(api("otpSent"));
    },
    [send, runUntil, notify, t, api],
  );

  useEffect(() => {
    if (entered.current) return;
    entered.current = true;
    const waiting = readPending();
    const merchant = waiting?.iMerchantId || query.get("merchantId") || "";
    if (!waiting?.sEmail) return router.replace(`/customer/signup/${merchant}`);
    setData(waiting);
    const sentAt = readSentAt(waiting.sEmail);
    const fresh = sentAt !== null && Date.now() - sentAt < CODE_MILLISECONDS;
    if (query.get("from") === "signup") return runUntil((sentAt ?? Date.now()) + CODE_MILLISECONDS);
    if (fresh && isReload()) return runUntil(sentAt + CODE_MILLISECONDS);
    void sendCode(waiting);
  }, [query, router, runUntil, sendCode]);

  useEffect(() => {
    if (step !== "done") return;
    const path = ["/customer/loyalty-card", card].filter(Boolean).join("/");
    const timer = setTimeout(() => router.replace(path), REDIRECT_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [step, card, router]);

  async function registerNow(details: PendingSignUp) {
    setStep("registering");
    const result = await answer(
      register({
        fullName: details.sFullName,
        email: details.sEmail,
        phone: details.sPhoneNumber,
        dateOfBirth: details.dDateOfBirth,
        merchantId: details.iMerchantId,
        consent: details.bConsent,
      }),
    );
    if ("message" in result) {
      setProblem(result.message || t("registerFailed"));
      notify.error(result.message || t("registerFailed"));
      return setStep("unregistered");
    }
    const { customerId, isNewRegistration } = result.data;
    keepInfo({ customerId, customerData: details, isNewRegistration });
    clearPending();
    setCard(customerId);
    notify.success(api("registered"));
    setStep("done");
  }

  async function verifyNow(code: string) {
    const details = readPending();
    if (!details?.sEmail) return setProblem(t("dataMissing"));
    if (code.length < 6) return setProblem(t("incomplete"));
    setProblem(null);
    setStep("checking");
    const result = await answer(verify({ email: details.sEmail, code }));
    if ("message" in result) {
      guesses.current += 1;
      if (guesses.current >= MAX_GUESSES) setMayResend(true);
      setProblem(result.message || t("invalid"));
      notify.error(result.message || t("invalid"));
      return setStep("code");
    }
    notify.success(api("emailVerified"));
    await registerNow(details);
  }

  return {
    data,
    step,
    card,
    left,
    problem,
    sending,
    mayResend: !sending && (mayResend || left === 0),
    clearProblem: () => setProblem(null),
    verify: verifyNow,
    register: () => data && registerNow(data),
    resend: () => {
      setProblem(null);
      if (data) void sendCode(data);
    },
    back: () => {
      clearPending();
      router.push(`/customer/signup/${data?.iMerchantId ?? ""}`);
    },
  };
}
