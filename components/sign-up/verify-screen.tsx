"use client";

import { CircleAlertIcon, CircleCheckIcon, MailIcon } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { PageSpinner, Spinner } from "@/components/ui/spinner";
import { displayPhone } from "@/lib/domain/contact";
import { CODE_LENGTH, CodeBoxes } from "./code-boxes";
import { displayDate, type PendingSignUp } from "./pending";
import { minutesAndSeconds } from "./use-countdown";
import { useVerification, type VerifyActions } from "./use-verification";

const EMPTY = Array.from({ length: CODE_LENGTH }, () => "");

function Done({ card }: { card: string }) {
  const t = useTranslations("customerVerify");
  return (
    <section aria-live="polite" className="my-auto flex flex-col items-center gap-3 py-10 text-center">
      <span className="grid size-20 place-items-center rounded-full bg-success-soft text-success-strong">
        <CircleCheckIcon className="size-11" aria-hidden />
      </span>
      <h1 className="font-semibold text-2xl">{t("doneTitle")}</h1>
      <p className="text-muted-foreground">{t("doneText")}</p>
      <Button asChild variant="outline" size="xl" className="mt-3 w-full">
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
    { label: t("phone"), value: displayPhone(data.sPhoneNumber), ltr: true },
    { label: t("dateOfBirth"), value: displayDate(data.dDateOfBirth), ltr: true },
  ].filter((row) => row.value !== "");
  return (
    <dl className="mt-8 grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 border-t pt-5 text-sm">
      {rows.map(({ label, value, ltr }) => (
        <div key={label} className="contents">
          <dt className="text-muted-foreground">{label}</dt>
          <dd className="text-end">{ltr ? <bdi dir="ltr">{value}</bdi> : value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Where the mailed code is entered; a right one registers by itself. */
export function VerifyScreen(actions: VerifyActions) {
  const t = useTranslations("customerVerify");
  const state = useVerification(actions);
  const { data, step, left, problem } = state;
  const [digits, setDigits] = useState<string[]>(EMPTY);
  const problemId = useId();
  if (step === "done") return <Done card={state.card} />;
  if (!data) return <PageSpinner />;
  if (step === "unregistered") {
    return <Unregistered problem={problem ?? ""} onRetry={state.register} onBack={state.back} />;
  }
  const busy = step === "checking" || step === "registering";
  const code = digits.join("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy) void state.verify(code);
  };
  return (
    <form onSubmit={submit} noValidate aria-busy={busy} className="flex flex-col pt-4">
      <span className="mb-4 grid size-14 place-items-center rounded-2xl bg-primary-soft text-primary-strong">
        <MailIcon className="size-7" aria-hidden />
      </span>
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
      <CodeBoxes
        digits={digits}
        invalid={problem !== null}
        describedBy={problem ? problemId : undefined}
        disabled={busy}
        onChange={(next) => {
          state.clearProblem();
          setDigits(next);
        }}
      />
      <div className="mt-3 min-h-12">
        {problem && (
          <p id={problemId} role="alert" className="flex items-start gap-1.5 text-destructive text-sm">
            <CircleAlertIcon className="mt-0.5 size-4 shrink-0" aria-hidden />
            {problem}
          </p>
        )}
        {left !== null && (
          <p className="text-muted-foreground text-sm" role={left === 0 ? "status" : "timer"}>
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
        )}
      </div>
      <Button type="submit" size="xl" className="mt-3 w-full" disabled={code.length < CODE_LENGTH || busy}>
        {busy && <Spinner aria-hidden />}
        {step === "registering" ? t("registering") : t("verify")}
      </Button>
      <Button
        variant="outline"
        size="xl"
        className="mt-2 w-full"
        disabled={!state.mayResend || busy}
        onClick={() => {
          setDigits(EMPTY);
          state.resend();
        }}
      >
        {t("resend")}
      </Button>
      <Button variant="ghost" size="xl" className="mt-2 w-full" disabled={busy} onClick={state.back}>
        {t("back")}
      </Button>
      <Details data={data} />
    </form>
  );
}
