"use client";

import { CircleAlertIcon, FingerprintIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { startTransition, useActionState, useEffect, useId, useState } from "react";
import { passkeyRequestAction, type signInAction } from "@/app/_session/actions";
import { FieldError } from "@/components/forms/field-error";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { EmailInput } from "@/components/ui/input";
import { IntentLink } from "@/components/ui/intent-link";
import { Label } from "@/components/ui/label";
import { PasswordInput } from "@/components/ui/password-input";
import { Spinner } from "@/components/ui/spinner";
import type { FactorRequest } from "@/lib/domain/errors";
import { askPasskey, FactorCode } from "../session/factor-code";
import { TOKEN_KEY, VIEW_PREFIX } from "../session/stored-session";

/** E-mail and password, then a second factor; or a passkey. A plain form action: it needs no script. */
export function LoginForm({
  action,
  from,
  notice,
}: {
  action: typeof signInAction;
  from?: string;
  notice?: string;
}) {
  const t = useTranslations("auth");
  const id = useId();
  const [state, submit, pending] = useActionState(action, {});
  useEffect(() => {
    // An ended session left them: this page shows only without a session.
    localStorage.removeItem(TOKEN_KEY);
    for (const name of Object.keys(sessionStorage)) {
      if (name.startsWith(VIEW_PREFIX)) sessionStorage.removeItem(name);
    }
  }, []);
  const { email: emailProblem, password: passwordProblem } = state.fieldErrors ?? {};
  // If a field shows a message, do not repeat it above the fields.
  const problem = Object.keys(state.fieldErrors ?? {}).length > 0 ? undefined : (state.message ?? notice);
  if (state.request) {
    return <SecondStep request={state.request} state={state} from={from} submit={submit} pending={pending} />;
  }
  return (
    <form action={submit} noValidate aria-busy={pending} className="flex flex-col gap-4">
      {problem && (
        <Alert variant={state.message ? "destructive" : "warning"} icon={CircleAlertIcon}>
          {problem}
        </Alert>
      )}
      {from && <input type="hidden" name="from" value={from} />}
      <div className="flex flex-col gap-1.5">
        <Label htmlFor={`${id}-email`}>{t("email")}</Label>
        <EmailInput
          id={`${id}-email`}
          name="email"
          autoComplete="username"
          required
          defaultValue={state.email}
          aria-invalid={emailProblem ? true : undefined}
          aria-describedby={emailProblem && `${id}-email-problem`}
        />
        {emailProblem && <FieldError id={`${id}-email-problem`}>{emailProblem}</FieldError>}
      </div>
      <div className="flex flex-col gap-1.5">
        <div className="flex items-baseline justify-between gap-4">
          <Label htmlFor={`${id}-password`}>{t("password")}</Label>
          <IntentLink
            href="/forgot-password"
            className="text-link text-sm underline-offset-4 hover:underline pointer-coarse:-my-3 pointer-coarse:py-3"
          >
            {t("forgot")}
          </IntentLink>
        </div>
        <PasswordInput
          id={`${id}-password`}
          name="password"
          autoComplete="current-password"
          required
          maxLength={128}
          aria-invalid={passwordProblem ? true : undefined}
          aria-describedby={passwordProblem && `${id}-password-problem`}
        />
        {passwordProblem && <FieldError id={`${id}-password-problem`}>{passwordProblem}</FieldError>}
      </div>
      <Button type="submit" size="lg" className="mt-2 w-full" aria-disabled={pending || undefined}>
        {pending && <Spinner />}
        {t("login")}
      </Button>
      <PasskeySignIn from={from} submit={submit} />
    </form>
  );
}

type Submit = (form: FormData) => void;

/** Asks the browser for a passkey and submits its answer. Answers false if the user cancelled or has none. */
async function submitPasskey(request: FactorRequest, from: string | undefined, submit: Submit) {
  const assertion = await askPasskey(request);
  if (!assertion) return false;
  const form = new FormData();
  form.set("challenge", request.challenge);
  form.set("assertion", JSON.stringify(assertion));
  if (from) form.set("from", from);
  startTransition(() => submit(form));
  return true;
}

/** Shown from the first HTML on: a button that came with the scripts moved the fields under a finger. */
function PasskeySignIn({ from, submit }: { from: string | undefined; submit: Submit }) {
  const t = useTranslations("factors");
  const [shown, setShown] = useState(true);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => setShown("PublicKeyCredential" in window), []);
  if (!shown) return null;
  const signIn = async () => {
    setProblem(null);
    const begun = await passkeyRequestAction({}).catch(() => null);
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

function SecondStep({
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
          <FactorCode request={request} problem={problem} busy={pending} autoFocus />
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
