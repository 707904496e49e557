"use client";

import { FingerprintIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogCancel, DialogContent, DialogFooter, DialogHeader } from "@/components/ui/dialog";
import { Label } from "@/components/ui/label";
import { PasswordInput } from "@/components/ui/password-input";
import { Spinner } from "@/components/ui/spinner";
import type { Assertion } from "@/lib/accounts/model/second-factor";
import type { FactorRequest } from "@/lib/domain/errors";
import { askPasskey, FactorCode } from "./factor-code";

export type StepUpProof = { password?: string; code?: string; assertion?: Assertion };

type StepUpDialogProps = {
  /** The factors by which the user may confirm. Null while the dialog does not ask. */
  request: FactorRequest | null;
  problem: string | undefined;
  onProblem: (problem: string) => void;
  send: (proof: StepUpProof) => Promise<void>;
  onCancel: () => void;
};

/** Asks the user to confirm who they are: by passkey or code where a second factor is set, else by the password. */
export function StepUpDialog({ request, problem, onProblem, send, onCancel }: StepUpDialogProps) {
  const t = useTranslations("factors");
  // No transition: React ends transitions together, and the one that asked waits for this dialog.
  const [pending, setPending] = useState(false);
  const run = async (work: () => Promise<void>) => {
    setPending(true);
    await work().finally(() => setPending(false));
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // The dialog may be above another form.
    event.stopPropagation();
    const form = new FormData(event.currentTarget);
    const [code, password] = [form.get("code"), form.get("password")];
    if (!pending) void run(() => send(code ? { code: String(code) } : { password: String(password ?? "") }));
  };
  const answerByPasskey = () =>
    run(async () => {
      const assertion = request && (await askPasskey(request));
      if (assertion) await send({ assertion });
      else onProblem(t("passkeyCancelled"));
    });

  const methods = request?.methods ?? [];
  const byCode = methods.includes("totp") || methods.includes("recovery");
  return (
    <Dialog open={request !== null} onOpenChange={(open) => !open && onCancel()}>
      <DialogContent>
        <DialogHeader title={t("stepUpTitle")} text={t("stepUpText")} />
        {methods.includes("passkey") && (
          <Button type="button" size="lg" onClick={answerByPasskey} aria-disabled={pending || undefined}>
            <FingerprintIcon aria-hidden /> {t("usePasskey")}
          </Button>
        )}
        <form noValidate onSubmit={submit} aria-busy={pending} className="flex flex-col gap-4">
          {request && byCode && <FactorCode request={request} problem={problem} busy={pending} autoFocus />}
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
