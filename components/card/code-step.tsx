"use client";

import { CircleAlertIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { type ReactNode, useId } from "react";
import { CodeBoxes } from "@/components/sign-up/code-boxes";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import type { MailedCode } from "./use-mailed-code";

/** Six boxes, the button that enters them, and another code when it did not arrive. */
export function CodeStep({
  code,
  label,
  destructive = false,
  ready = true,
  children,
}: {
  code: MailedCode;
  /** What entering the code does. */
  label: string;
  destructive?: boolean;
  /** Whether everything else that is asked for is there. */
  ready?: boolean;
  children?: ReactNode;
}) {
  const t = useTranslations("customerVerify");
  const id = useId();
  return (
    <form
      noValidate
      aria-busy={code.busy}
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!code.busy && code.complete && ready) void code.enter();
      }}
    >
      <CodeBoxes
        digits={code.digits}
        onChange={code.change}
        invalid={code.problem !== null}
        describedBy={code.problem ? id : undefined}
        disabled={code.busy}
      />
      <Problem id={id} code={code} />
      {children}
      <Button
        type="submit"
        size="xl"
        variant={destructive ? "destructive" : "default"}
        disabled={!code.complete || code.busy || !ready}
      >
        {code.busy && <Spinner aria-hidden />}
        {label}
      </Button>
      <Button variant="ghost" size="xl" disabled={code.busy} onClick={code.send}>
        {t("resend")}
      </Button>
    </form>
  );
}

/** Why the last try was refused. */
export function Problem({ id, code }: { id?: string; code: MailedCode }) {
  if (!code.problem) return null;
  return (
    <p id={id} role="alert" className="flex items-start gap-1.5 text-destructive text-sm">
      <CircleAlertIcon className="mt-0.5 size-4 shrink-0" aria-hidden />
      {code.problem}
    </p>
  );
}
