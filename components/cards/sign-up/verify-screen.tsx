"use client";

import { CircleAlertIcon, CircleCheckIcon } from "lucide-react";
import { useRouter, useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { sendCodeAction, signUpAction } from "@/app/customer/actions";
import { CodeField } from "@/components/codes/code-field";
import { SubmitCode } from "@/components/codes/code-step";
import { isWrongCode, useMailedCode } from "@/components/codes/use-mailed-code";
import { Button, LinkButton } from "@/components/ui/button";
import { PageSpinner } from "@/components/ui/spinner";
import { minutesAndSeconds, useCountdown } from "@/components/ui/use-countdown";
import { formatPhone } from "@/lib/domain/contact";
import type { ActionResult, Refusal } from "@/lib/domain/errors";
import { formatNumericDate } from "@/lib/domain/time";
import { firstNameOf } from "@/lib/receipts/model/receipt";
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
import { MerchantFace, type SignUpMerchant } from "./merchant-face";

const CODE_MILLISECONDS = 300_000;
const REDIRECT_MILLISECONDS = 3_000;
const MAX_GUESSES = 5;

type NewCard = { customerId: string; isNewRegistration: boolean };

function refusalOf(message: string): Refusal {
  return { ok: false, code: "unavailable", message, fieldErrors: {} };
}

const formPath = ({ iMerchantId }: PendingSignUp) => `/customer/signup/${iMerchantId}`;

function isReload(): boolean {
  const [entry] = performance.getEntriesByType("navigation");
  return entry instanceof PerformanceNavigationTiming && entry.type === "reload";
}

function useSignUpCode(data: PendingSignUp | null) {
  const t = useTranslations("customerVerify");
  const [step, setStep] = useState<"code" | "registering" | "unregistered">("code");
  const [sent, setSent] = useState<SentCode | null>(null);
  const [card, setCard] = useState<string | null>(null);

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
    const asked = { email: pending.sEmail, merchantId: pending.iMerchantId || undefined };
    const result = await sendCodeAction(asked).catch(() => refusalOf(t("sendFailed")));
    // Only a code that was sent runs out; after a failure an earlier one keeps its own time.
    if (result.ok) follow(pending.sEmail, { at, wrong: 0 });
    return result;
  }

  async function enter(code: string): Promise<ActionResult<NewCard & { details: PendingSignUp }>> {
    const details = pendingHere();
    if (!details) return refusalOf(t("dataMissing"));
    const result = await signUpAction({
      fullName: details.sFullName,
      email: details.sEmail,
      phone: details.sPhoneNumber,
      dateOfBirth: details.dDateOfBirth,
      merchantId: details.iMerchantId,
      consent: details.bConsent,
      code,
    }).catch(() => refusalOf(t("registerFailed")));
    if (result.ok) return { ok: true, data: { ...result.data, details } };
    if (isWrongCode(result)) {
      // On a retry, the first request may have used the code although its answer was lost.
      const wrong = step === "unregistered" ? MAX_GUESSES : (sent?.wrong ?? 0) + 1;
      if (sent) follow(details.sEmail, { ...sent, wrong });
      setStep("code");
    } else setStep("unregistered");
    return result;
  }

  const code = useMailedCode({
    send: sendCode,
    enter,
    onDone: ({ customerId, isNewRegistration, details }) => {
      saveCustomerInfo({ customerId, customerData: details, isNewRegistration });
      clearPendingSignUp(details);
      setCard(customerId);
    },
  });

  return { step, setStep, sent, setSent, card, code };
}

function useVerification() {
  const router = useRouter();
  const query = useSearchParams();
  const [data, setData] = useState<PendingSignUp | null>(null);
  const { step, setStep, sent, setSent, card, code } = useSignUpCode(data);
  const left = useCountdown(sent && sent.at + CODE_MILLISECONDS);
  const triesLeft = sent?.wrong ? Math.max(0, MAX_GUESSES - sent.wrong) : null;
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
    if (card === null) return;
    const timer = setTimeout(() => router.replace(`/customer/loyalty-card/${card}`), REDIRECT_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [card, router]);

  useEffect(() => {
    if (!data || card !== null) return;
    // The browser's own Back leads to the same form as the button.
    const onBack = () => window.location.pathname === formPath(data) && keepForForm(data);
    window.addEventListener("popstate", onBack);
    return () => window.removeEventListener("popstate", onBack);
  }, [data, card]);

  return {
    data,
    step,
    card,
    code,
    left,
    triesLeft,
    mayResend: !code.busy && (sent === null || triesLeft === 0 || left === 0),
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

function Done({ card, name, merchant }: { card: string; name: string; merchant: SignUpMerchant | null }) {
  const t = useTranslations("customerVerify");
  const api = useTranslations("api");
  const holder = useTranslations("card");
  return (
    <section aria-live="polite" className="relative my-auto flex flex-col gap-4 py-6 text-center">
      <h1 className="flex items-center justify-center gap-1.5 font-medium text-success-strong text-sm">
        <CircleCheckIcon className="size-4" aria-hidden />
        {t("doneTitle")}
      </h1>
      <p className="text-balance font-semibold text-2xl tracking-tight">
        {t("welcome", { name: firstNameOf(name) })}
      </p>
      {merchant && (
        <div className="fade-in zoom-in-90 animate-in text-start duration-500 motion-reduce:animate-none">
          <MerchantFace merchant={merchant}>
            <div className="grid gap-0.5 px-5 pb-5 sm:ps-7">
              <p className="face-caption">{holder("cardHolder")}</p>
              <p className="loyalty-holder">
                <bdi>{name}</bdi>
              </p>
            </div>
          </MerchantFace>
        </div>
      )}
      {/* Not as notifications, which would cover the card that opens. */}
      <p className="text-balance text-muted-foreground text-sm">
        {api("emailVerified")} {api("registered")} {t("doneText")}
      </p>
      <LinkButton
        variant="outline"
        size="xl"
        className="w-full after:absolute after:inset-0"
        href={`/customer/loyalty-card/${card}`}
        replace
      >
        {t("openCard")}
      </LinkButton>
    </section>
  );
}

type Verification = ReturnType<typeof useVerification>;

function Unregistered({ code, retry, back }: Verification) {
  const t = useTranslations("customerVerify");
  return (
    <section className="my-auto flex flex-col items-center gap-3 py-10 text-center">
      <CircleAlertIcon className="size-12 text-destructive" aria-hidden />
      <p role="alert" className="text-balance font-medium text-lg">
        {code.problem}
      </p>
      <Button size="xl" className="mt-3 w-full" onClick={retry}>
        {t("tryAgain")}
      </Button>
      <Button variant="ghost" size="xl" className="w-full" onClick={back}>
        {t("back")}
      </Button>
    </section>
  );
}

function Details({ data }: { data: PendingSignUp }) {
  const t = useTranslations("customerSignup");
  const rows = [
    { label: t("fullName"), value: data.sFullName },
    { label: t("phone"), value: formatPhone(data.sPhoneNumber), ltr: true },
    { label: t("dateOfBirth"), value: formatNumericDate(data.dDateOfBirth), ltr: true },
  ].filter((row) => row.value !== "");
  return (
    <dl className="mt-8 grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 border-t pt-5 text-sm">
      {rows.map(({ label, value, ltr }) => (
        <div key={label} className="contents">
          <dt className="text-muted-foreground">{label}</dt>
          <dd className="wrap-anywhere text-end">
            <bdi dir={ltr ? "ltr" : undefined}>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function TimeLeft({ left }: { left: number }) {
  const t = useTranslations("customerVerify");
  return (
    <p className="mt-3 text-muted-foreground text-sm" role={left === 0 ? "status" : "timer"}>
      {left === 0 ? (
        <span className="font-medium text-warning-strong">{t("expired")}</span>
      ) : (
        t.rich("expiresIn", {
          time: minutesAndSeconds(left),
          strong: (words) => (
            <bdi dir="ltr" className="font-medium text-foreground tabular-nums">
              {words}
            </bdi>
          ),
        })
      )}
    </p>
  );
}

/** The page where the mailed code is entered. A correct code registers the customer. `merchant` is null until it is known. */
export function VerifyScreen({ merchant }: { merchant: SignUpMerchant | null }) {
  const verification = useVerification();
  const { data, step, card } = verification;
  if (card !== null) return <Done card={card} name={data?.sFullName ?? ""} merchant={merchant} />;
  return (
    <>
      {merchant && <MerchantFace merchant={merchant} />}
      {!data ? (
        <PageSpinner />
      ) : step === "unregistered" ? (
        <Unregistered {...verification} />
      ) : (
        <CodeForm {...verification} data={data} />
      )}
    </>
  );
}

function CodeForm(verification: Verification & { data: PendingSignUp }) {
  const t = useTranslations("customerVerify");
  const api = useTranslations("api");
  const { data, step, code, left, triesLeft, mayResend, back } = verification;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void code.submit();
  };
  return (
    <form onSubmit={submit} noValidate aria-busy={code.busy} className="flex flex-col pt-5">
      <h1 className="font-semibold text-2xl tracking-tight">{t("title")}</h1>
      <p className="mt-1 mb-6 text-muted-foreground">
        {t.rich("sentTo", {
          email: data.sEmail,
          strong: (words) => (
            <bdi dir="ltr" className="block wrap-anywhere font-medium text-foreground rtl:text-end">
              {words}
            </bdi>
          ),
        })}
      </p>
      <CodeField
        code={code}
        label={t("codeLabel")}
        hideLabel
        hint={triesLeft !== null && code.value === "" && t("triesLeft", { left: triesLeft })}
        autoFocus
      />
      {left !== null && <TimeLeft left={left} />}
      <p role="status" className="mt-1 text-muted-foreground text-sm">
        {left !== null && left > 0 && api("otpSent")} {t("spam")}
      </p>
      <SubmitCode code={code} className="mt-5 w-full">
        {step === "registering" ? t("registering") : t("verify")}
      </SubmitCode>
      <Button variant="outline" size="xl" className="mt-2 w-full" disabled={!mayResend} onClick={code.send}>
        {t("resend")}
        {!mayResend && left !== null && (
          <bdi dir="ltr" className="tabular-nums">
            {minutesAndSeconds(left)}
          </bdi>
        )}
      </Button>
      <Button variant="ghost" size="xl" className="mt-2 w-full" disabled={code.busy} onClick={back}>
        {t("back")}
      </Button>
      <Details data={data} />
    </form>
  );
}
