"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Button, type ButtonProps } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import { CodeField } from "./code-field";
import type { MailedCode } from "./use-mailed-code";

/** The boxes, a submit button, and a button that sends another code. */
export function CodeStep({
  code,
  label,
  submitLabel,
  resendLabel,
  variant,
  ready = true,
}: {
  code: MailedCode;
  /** The label above the boxes; without it a default label is for screen readers only. */
  label?: string;
  submitLabel: string;
  resendLabel?: string;
  variant?: ButtonProps["variant"];
  ready?: boolean;
}) {
  const t = useTranslations("customerVerify");
  return (
    <form
      noValidate
      aria-busy={code.busy}
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) void code.submit();
      }}
    >
      <CodeField code={code} label={label ?? t("codeLabel")} hideLabel={!label} autoFocus />
      <SubmitCode code={code} variant={variant} ready={ready}>
        {submitLabel}
      </SubmitCode>
      <Button variant="ghost" size="xl" disabled={code.busy} onClick={code.send}>
        {code.sending && <Spinner aria-hidden />}
        {resendLabel ?? t("resend")}
      </Button>
    </form>
  );
}

/** Submits the code; while digits are missing, a press shows a message instead. */
export function SubmitCode({
  code,
  ready = true,
  variant = "default",
  className = "",
  children,
}: {
  code: MailedCode;
  ready?: boolean;
  variant?: ButtonProps["variant"];
  className?: string;
  children: ReactNode;
}) {
  return (
    <Button
      type="submit"
      size="xl"
      variant={variant}
      className={`aria-disabled:pointer-events-auto ${className}`}
      disabled={!ready}
      aria-disabled={code.busy || !code.complete || undefined}
    >
      {code.entering && <Spinner aria-hidden />}
      {children}
    </Button>
  );
}
