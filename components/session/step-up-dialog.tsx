"use client";

import { type PublicKeyCredentialRequestOptionsJSON, startAuthentication } from "@simplewebauthn/browser";
import { FingerprintIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { type FormEvent, useEffect, useRef, useState, useTransition } from "react";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogCancel,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
} from "@/components/ui/dialog";
import { Label } from "@/components/ui/label";
import { PasswordInput } from "@/components/ui/password-input";
import { Spinner } from "@/components/ui/spinner";
import type { ActionResult } from "@/lib/domain/errors";
import type { Assertion, FactorRequest } from "@/lib/domain/second-factor";
import { FactorCode } from "./factor-code";
import { redirectIfSignedOut } from "./session";
import { registerStepUp } from "./step-up";

type Proof = { password?: string; code?: string; assertion?: Assertion };
/** The server actions of the dialog. */
export type StepUpActions = {
  request: (input: Record<never, never>) => Promise<ActionResult<FactorRequest>>;
  due: (input: Record<never, never>) => Promise<ActionResult<{ due: boolean }>>;
  confirm: (input: Proof) => Promise<ActionResult<unknown>>;
};

/** Asks the user to confirm who they are: by passkey or code where a second factor is set, else by the password. */
export function StepUpDialog(actions: StepUpActions) {
  const t = useTranslations("factors");
  const errors = useTranslations("errors");
  const [request, setRequest] = useState<FactorRequest | null>(null);
  const [problem, setProblem] = useState<string>();
  const [pending, startTransition] = useTransition();
  const waiting = useRef<((confirmed: boolean) => void) | null>(null);
  const latest = useRef(actions);
  latest.current = actions;

  useEffect(() => {
    const ask = async () => {
      const result = await latest.current.request({});
      if (!result.ok) {
        redirectIfSignedOut(result);
        return false;
      }
      setProblem(undefined);
      setRequest(result.data);
      return new Promise<boolean>((resolve) => {
        waiting.current?.(false);
        waiting.current = resolve;
      });
    };
    const due = async () => {
      const result = await latest.current.due({});
      return result.ok && result.data.due;
    };
    return registerStepUp({ ask, due });
  }, []);

  const close = (confirmed: boolean) => {
    setRequest(null);
    waiting.current?.(confirmed);
    waiting.current = null;
  };
  const send = async (proof: Proof) => {
    try {
      const result = await actions.confirm(proof);
      if (result.ok) return close(true);
      if (!redirectIfSignedOut(result)) setProblem(result.message);
    } catch {
      setProblem(errors("unavailable"));
    }
    // A passkey's challenge is good once.
    const next = proof.assertion ? await actions.request({}) : null;
    if (next?.ok) setRequest(next.data);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // The dialog may stand above another form.
    event.stopPropagation();
    const form = new FormData(event.currentTarget);
    const [code, password] = [form.get("code"), form.get("password")];
    startTransition(() => send(code ? { code: String(code) } : { password: String(password ?? "") }));
  };
  const answerByPasskey = () =>
    startTransition(async () => {
      const optionsJSON = request?.options as unknown as PublicKeyCredentialRequestOptionsJSON;
      try {
        await send({ assertion: (await startAuthentication({ optionsJSON })) as Assertion });
      } catch {
        setProblem(t("passkeyCancelled"));
      }
    });

  const methods = request?.methods ?? [];
  const byCode = methods.includes("totp") || methods.includes("recovery");
  return (
    <Dialog open={request !== null} onOpenChange={(open) => !open && close(false)}>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>{t("stepUpTitle")}</DialogTitle>
          <DialogDescription>{t("stepUpText")}</DialogDescription>
        </DialogHeader>
        {methods.includes("passkey") && (
          <Button type="button" size="lg" onClick={answerByPasskey} aria-disabled={pending || undefined}>
            <FingerprintIcon aria-hidden /> {t("usePasskey")}
          </Button>
        )}
        <form noValidate onSubmit={submit} aria-busy={pending} className="flex flex-col gap-4">
          {byCode && <FactorCode demoCode={request?.demoCode ?? null} problem={problem} autoFocus />}
          {methods.includes("password") && (
            <div className="grid gap-1.5">
              <Label htmlFor="step-up-password">{t("password")}</Label>
              <PasswordInput
                id="step-up-password"
                name="password"
                autoComplete="current-password"
                required
                autoFocus
                maxLength={128}
              />
            </div>
          )}
          {problem && !byCode && (
            <p role="alert" className="text-destructive text-sm">
              {problem}
            </p>
          )}
          <DialogFooter>
            <DialogCancel />
            {(byCode || methods.includes("password")) && (
              <Button type="submit" aria-disabled={pending || undefined}>
                {pending && <Spinner />} {t("confirm")}
              </Button>
            )}
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  );
}
