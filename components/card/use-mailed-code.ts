"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { CODE_LENGTH } from "@/components/sign-up/code-boxes";
import { useNotify } from "@/components/ui/notify";
import type { ActionResult } from "@/lib/domain/errors";

const EMPTY = Array.from({ length: CODE_LENGTH }, () => "");

/** A code that is mailed on request and then entered: asked for, six digits, refused or good. */
export function useMailedCode<R>({
  send,
  enter,
  onDone,
}: {
  send: () => Promise<ActionResult<unknown>>;
  enter: (code: string) => Promise<ActionResult<R>>;
  onDone: (data: R) => void;
}) {
  const verify = useTranslations("customerVerify");
  const errors = useTranslations("errors");
  const api = useTranslations("api");
  const notify = useNotify();
  const [sent, setSent] = useState(false);
  const [digits, setDigits] = useState<string[]>(EMPTY);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function attempt<T>(call: () => Promise<ActionResult<T>>, fallback: string, then: (data: T) => void) {
    setBusy(true);
    setProblem(null);
    try {
      const result = await call();
      if (result.ok) return then(result.data);
      setProblem([...new Set([result.message, ...Object.values(result.fieldErrors)])].join(" ") || fallback);
    } catch {
      setProblem(errors("unavailable"));
    } finally {
      setBusy(false);
    }
  }

  return {
    sent,
    digits,
    problem,
    busy,
    complete: digits.join("").length === CODE_LENGTH,
    change: (next: string[]) => {
      setProblem(null);
      setDigits(next);
    },
    reset: () => {
      setSent(false);
      setDigits(EMPTY);
      setProblem(null);
    },
    send: () =>
      attempt(send, verify("sendFailed"), () => {
        setSent(true);
        setDigits(EMPTY);
        notify.success(api("otpSent"));
      }),
    enter: () => attempt(() => enter(digits.join("")), verify("invalid"), onDone),
  };
}

export type MailedCode = ReturnType<typeof useMailedCode>;
