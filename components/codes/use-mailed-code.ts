"use client";

import { useTranslations } from "next-intl";
import { useEffect, useRef, useState } from "react";
import { redirectIfSignedOut } from "@/components/accounts/session/session";
import type { ActionResult, Refusal } from "@/lib/domain/errors";

export const CODE_LENGTH = 6;

/** All messages of a refusal in one line, empty without any. If fields have messages, the general one is left out. */
function refusalText({ code, message, fieldErrors }: Refusal): string {
  const fields = Object.values(fieldErrors);
  const general = code === "validation" && fields.length > 0 ? "" : message;
  return [...new Set([general, ...fields])].filter(Boolean).join(" ");
}

/** Whether a refusal is about the code itself and not about the rest of the request. */
export function isWrongCode({ code, fieldErrors }: Refusal): boolean {
  return code === "code_invalid" || code === "code_expired" || "code" in fieldErrors;
}

/** Runs one call at a time, and keeps the refusal of the last one. Calls `onWrong` if an entered code was wrong. */
function useCalls(onWrong: () => void) {
  const errors = useTranslations("errors");
  const running = useRef(false);
  const [activity, setActivity] = useState<"send" | "enter" | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  async function run<T>(
    kind: "send" | "enter",
    call: () => Promise<ActionResult<T>>,
    onOk: (data: T) => void,
  ): Promise<void> {
    if (running.current) return;
    running.current = true;
    setActivity(kind);
    setProblem(null);
    try {
      const result = await call();
      if (result.ok) return onOk(result.data);
      if (redirectIfSignedOut(result)) return;
      setProblem(refusalText(result) || null);
      if (kind === "enter" && isWrongCode(result)) onWrong();
    } catch {
      setProblem(errors("unavailable"));
    } finally {
      running.current = false;
      setActivity(null);
    }
  }

  return { run, running, activity, problem, setProblem };
}

/** A mailed code. A complete one is submitted, a wrong one cleared; an unchecked one stays for a retry. */
export function useMailedCode<S, R>({
  send,
  onSent,
  enter,
  onDone,
  autoSubmit = true,
}: {
  send: () => Promise<ActionResult<S>>;
  onSent?: (data: S) => void;
  enter: (code: string) => Promise<ActionResult<R>>;
  onDone: (data: R) => void;
  /** False where typing the last digit must not submit: a deletion needs its button. */
  autoSubmit?: boolean;
}) {
  const t = useTranslations("customerVerify");
  const field = useRef<HTMLInputElement>(null);
  const [sent, setSent] = useState(false);
  const [value, setValue] = useState("");
  const [wrongCount, setWrongCount] = useState(0);
  const { run, running, activity, problem, setProblem } = useCalls(() => {
    setValue("");
    setWrongCount((count) => count + 1);
  });
  useEffect(() => {
    if (wrongCount > 0) field.current?.focus();
  }, [wrongCount]);

  async function submit(code = value): Promise<void> {
    if (code.length === CODE_LENGTH) return run("enter", () => enter(code), onDone);
    if (running.current) return;
    setProblem(t("incomplete"));
    field.current?.focus();
  }

  return {
    sent,
    value,
    problem,
    sending: activity === "send",
    entering: activity === "enter",
    busy: activity !== null,
    complete: value.length === CODE_LENGTH,
    field,
    /** Sets the field's value; `toEnd` means that the last box was filled. */
    change: (next: string, toEnd: boolean) => {
      const completed = next.length === CODE_LENGTH && (toEnd || value.length < CODE_LENGTH);
      setProblem(null);
      setValue(next);
      if (completed && autoSubmit) void submit(next);
    },
    send: () =>
      run("send", send, (data) => {
        setSent(true);
        setValue("");
        onSent?.(data);
      }),
    submit: () => submit(),
  };
}

export type MailedCode = ReturnType<typeof useMailedCode>;
