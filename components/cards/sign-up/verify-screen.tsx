"use client";

import { CircleAlertIcon, CircleCheckIcon } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import type { FormEvent } from "react";
import { CodeField } from "@/components/codes/code-field";
import { SubmitCode } from "@/components/codes/code-step";
import { Button } from "@/components/ui/button";
import { PageSpinner } from "@/components/ui/spinner";
import { minutesAndSeconds } from "@/components/ui/use-countdown";
import { formatPhone } from "@/lib/domain/contact";
import { formatNumericDate } from "@/lib/domain/time";
import { firstNameOf } from "@/lib/receipts/model/receipt";
import type { PendingSignUp } from "../stored-data";
import { MerchantFace, type SignUpMerchant } from "./merchant-face";
import { useVerification } from "./use-verification";

/** The new card itself, until its page opens: after a moment, or with a tap anywhere. */
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
      <Button asChild variant="outline" size="xl" className="w-full after:absolute after:inset-0">
        <Link href={`/customer/loyalty-card/${card}`} replace>
          {t("openCard")}
        </Link>
      </Button>
    </section>
  );
}

function Unregistered({
  problem,
  onRetry,
  onBack,
}: {
  problem: string;
  onRetry: () => void;
  onBack: () => void;
}) {
  const t = useTranslations("customerVerify");
  return (
    <section className="my-auto flex flex-col items-center gap-3 py-10 text-center">
      <CircleAlertIcon className="size-12 text-destructive" aria-hidden />
      <p role="alert" className="text-balance font-medium text-lg">
        {problem}
      </p>
      <Button size="xl" className="mt-3 w-full" onClick={onRetry}>
        {t("tryAgain")}
      </Button>
      <Button variant="ghost" size="xl" className="w-full" onClick={onBack}>
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

/** How long the code is still valid, in seconds. */
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
  const t = useTranslations("customerVerify");
  const api = useTranslations("api");
  const { data, step, card, code, left, triesLeft, refusal, mayResend, retry, back } = useVerification();
  if (step === "done") return <Done card={card} name={data?.sFullName ?? ""} merchant={merchant} />;
  const face = merchant && <MerchantFace merchant={merchant} />;
  if (!data) {
    return (
      <>
        {face}
        <PageSpinner />
      </>
    );
  }
  if (step === "unregistered") {
    return (
      <>
        {face}
        <Unregistered problem={refusal} onRetry={retry} onBack={back} />
      </>
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void code.submit();
  };
  return (
    <>
      {face}
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
        <Button
          variant="outline"
          size="xl"
          className="mt-2 w-full"
          disabled={!mayResend || code.busy}
          onClick={code.send}
        >
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
    </>
  );
}
