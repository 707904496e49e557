"use client";

import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/browser";
import { FingerprintIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { startTransition, useEffect, useState } from "react";
import { FieldError } from "@/components/forms/field-error";
import { Button } from "@/components/ui/button";
import { Spinner } from "@/components/ui/spinner";
import type { FactorRequest } from "@/lib/accounts/model/second-factor";
import type { ActionResult } from "@/lib/domain/errors";
import { FactorCode } from "../session/factor-code";

type Submit = (form: FormData) => void;

/** Asks the browser for a passkey and submits its answer. Answers false if the user cancelled or has none. */
async function submitPasskey(
  request: FactorRequest,
  from: string | undefined,
  submit: Submit,
): Promise<boolean> {
  const optionsJSON = request.options as unknown as PublicKeyCredentialRequestOptionsJSON;
  try {
    const { startAuthentication } = await import("@simplewebauthn/browser");
    const assertion = await startAuthentication({ optionsJSON });
    const form = new FormData();
    form.set("challenge", request.challenge);
    form.set("assertion", JSON.stringify(assertion));
    if (from) form.set("from", from);
    startTransition(() => submit(form));
    return true;
  } catch {
    return false;
  }
}

/**
 * Signs in with a passkey alone. It shows only where scripts run, from the first HTML on: a button that came with the scripts
 * moved the fields while somebody was about to touch one.
 */
export function PasskeySignIn({
  request,
  from,
  submit,
}: {
  request: () => Promise<ActionResult<FactorRequest>>;
  from: string | undefined;
  submit: Submit;
}) {
  const t = useTranslations("factors");
  const [shown, setShown] = useState(true);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => setShown("PublicKeyCredential" in window), []);
  if (!shown) return null;
  const signIn = async () => {
    setProblem(null);
    const begun = await request().catch(() => null);
    if (begun?.ok === false) return setProblem(begun.message);
    if (!begun || !(await submitPasskey(begun.data, from, submit))) setProblem(t("passkeyCancelled"));
  };
  return (
    <>
      <Button type="button" variant="outline" size="lg" className="w-full noscript:hidden" onClick={signIn}>
        <FingerprintIcon aria-hidden /> {t("signInWithPasskey")}
      </Button>
      {problem && <FieldError>{problem}</FieldError>}
    </>
  );
}

/** The second step of a sign-in: a code of the authenticator app, a recovery code, or a passkey. */
export function SecondStep({
  request,
  state,
  from,
  submit,
  pending,
}: {
  request: FactorRequest;
  state: { message?: string; email?: string };
  from: string | undefined;
  submit: Submit;
  pending: boolean;
}) {
  const t = useTranslations("factors");
  const [cancelled, setCancelled] = useState(false);
  const byCode = request.methods.includes("totp") || request.methods.includes("recovery");
  const problem = state.message ?? (cancelled ? t("passkeyCancelled") : undefined);
  return (
    <form action={submit} noValidate aria-busy={pending} className="flex flex-col gap-4">
      <p className="text-muted-foreground text-sm">{t("secondStepText")}</p>
      <input type="hidden" name="challenge" value={request.challenge} />
      <input type="hidden" name="email" value={state.email ?? ""} />
      {from && <input type="hidden" name="from" value={from} />}
      {request.methods.includes("passkey") && (
        <Button
          type="button"
          size="lg"
          className="w-full"
          onClick={async () => setCancelled(!(await submitPasskey(request, from, submit)))}
        >
          <FingerprintIcon aria-hidden /> {t("usePasskey")}
        </Button>
      )}
      {byCode && (
        <>
          <FactorCode
            methods={request.methods}
            demoCode={request.demoCode}
            problem={problem}
            busy={pending}
            autoFocus
          />
          <Button
            type="submit"
            size="lg"
            variant={request.methods.includes("passkey") ? "outline" : "default"}
            className="w-full"
            aria-disabled={pending || undefined}
          >
            {pending && <Spinner />} {t("signIn")}
          </Button>
        </>
      )}
      {problem && !byCode && <FieldError>{problem}</FieldError>}
      <Button asChild variant="ghost">
        <a href={from ? `/login?from=${encodeURIComponent(from)}` : "/login"}>{t("startAgain")}</a>
      </Button>
    </form>
  );
}
