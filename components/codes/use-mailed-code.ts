"use client";

import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { leaveWhenSignedOut } from "@/components/session/session";
import type { ActionResult } from "@/lib/domain/errors";

/** How many digits a mailed code has. */
export const CODE_LENGTH = 6;

type Refusal = Extract<ActionResult<never>, { ok: false }>;

/** Everything a refusal says, in one line; empty when it says nothing. */
export function refusalText({ message, fieldErrors }: Refusal): string {
  return [...new Set([message, ...Object.values(fieldErrors)])].filter(Boolean).join(" ");
}

/** Whether the code itself was refused, and not what was asked for with it. */
export function isWrongCode({ code, fieldErrors }: Refusal): boolean {
  return code === "code_invalid" || code === "code_expired" || "code" in fieldErrors;
}

/**
 * A code that is mailed on request and then entered. A full code submits itself, a wrong one is cleared and the field
 * focused; a code that was not judged (no connection, another refusal) stays, to be submitted again.
 */
export function useMailedCode<S, R>({
  send,
  onSent,
  enter,
  onDone,
  submitsItself = true,
}: {
  send: () => Promise<ActionResult<S>>;
  onSent?: (data: S) => void;
  enter: (code: string) => Promise<ActionResult<R>>;
  onDone: (data: R) => void;
  /** False where the last digit must not be what does it: a deletion keeps its button. */
  submitsItself?: boolean;
}) {
  const t = useTranslations("customerVerify");
  const errors = useTranslations("errors");
  const field = useRef<HTMLInputElement>(null);
  const running = useRef(false);
  const [sent, setSent] = useState(false);
  const [value, setValue] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [doing, setDoing] = useState<"send" | "enter" | null>(null);
  const [wrong, setWrong] = useState(0);
  useEffect(() => {
    if (wrong > 0) field.current?.focus();
  }, [wrong]);

  async function attempt<T>(
    what: "send" | "enter",
    call: () => Promise<ActionResult<T>>,
    then: (data: T) => void,
  ): Promise<void> {
    if (running.current) return;
    running.current = true;
    setDoing(what);
    setProblem(null);
    try {
      const result = await call();
      if (result.ok) return then(result.data);
      if (leaveWhenSignedOut(result)) return;
      setProblem(refusalText(result) || null);
      if (what === "send" || !isWrongCode(result)) return;
      setValue("");
      setWrong((count) => count + 1);
    } catch {
      setProblem(errors("unavailable"));
    } finally {
      running.current = false;
      setDoing(null);
    }
  }

  async function submit(code = value): Promise<void> {
    if (code.length === CODE_LENGTH) return attempt("enter", () => enter(code), onDone);
    if (running.current) return;
    setProblem(t("incomplete"));
    field.current?.focus();
  }

  return {
    sent,
    value,
    problem,
    sending: doing === "send",
    entering: doing === "enter",
    busy: doing !== null,
    complete: value.length === CODE_LENGTH,
    /** For the field: what is focused after a refusal. */
    field,
    /** Takes what the field holds now; `toEnd` says that the last box was filled in. */
    change: (next: string, toEnd: boolean) => {
      const finished = next.length === CODE_LENGTH && (toEnd || value.length < CODE_LENGTH);
      setProblem(null);
      setValue(next);
      if (finished && submitsItself) void submit(next);
    },
    reset: () => {
      setSent(false);
      setValue("");
      setProblem(null);
    },
    send: () =>
      attempt("send", send, (data) => {
        setSent(true);
        setValue("");
        onSent?.(data);
      }),
    /** Submits what is entered; says so when digits are missing. */
    submit: () => submit(),
  };
}

export type MailedCode = ReturnType<typeof useMailedCode>;
