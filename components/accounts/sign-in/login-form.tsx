"use client";

import { CircleAlertIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { useActionState, useEffect, useId } from "react";
import { FieldError } from "@/components/forms/field-error";
import { Alert, AlertDescription } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { EmailInput } from "@/components/ui/input";
import { IntentLink } from "@/components/ui/intent-link";
import { Label } from "@/components/ui/label";
import { PasswordInput } from "@/components/ui/password-input";
import { Spinner } from "@/components/ui/spinner";
import type { FactorRequest } from "@/lib/accounts/model/second-factor";
import type { ActionResult } from "@/lib/domain/errors";
import { TOKEN_KEY, VIEW_PREFIX } from "../session/stored-session";
import { PasskeySignIn, SecondStep } from "./second-step";

type State = {
  message?: string;
  fieldErrors?: Record<string, string>;
  email?: string;
  request?: FactorRequest;
};

function FieldProblem({ id, text }: { id: string; text: string | undefined }) {
  return text ? <FieldError id={id}>{text}</FieldError> : null;
}

/** Removes what an ended session left in the browser: the login page shows only without a session. */
function useClearStoredSession() {
  useEffect(() => {
    localStorage.removeItem(TOKEN_KEY);
    for (const name of Object.keys(sessionStorage)) {
      if (name.startsWith(VIEW_PREFIX)) sessionStorage.removeItem(name);
    }
  }, []);
}

/**
 * E-mail and password, then the second factor where one is set; or a passkey alone. It uses a plain form action, so it
 * works before any script loads (a passkey needs scripts).
 */
export function LoginForm({
  action,
  passkeyRequest,
  from,
  notice,
}: {
  action: (previous: State, form: FormData) => Promise<State>;
  passkeyRequest: () => Promise<ActionResult<FactorRequest>>;
  from?: string;
  /** Why the user was sent here, if there is a reason. */
  notice?: string;
}) {
  const t = useTranslations("auth");
  const id = useId();
  const [state, submit, pending] = useActionState(action, {});
  useClearStoredSession();
  // If a field shows a message, do not repeat it above the fields.
  const problem =
    state.fieldErrors && Object.keys(state.fieldErrors).length > 0 ? undefined : (state.message ?? notice);
  if (state.request) {
    return <SecondStep request={state.request} state={state} from={from} submit={submit} pending={pending} />;
  }
  return (
    <form action={submit} noValidate aria-busy={pending} className="flex flex-col gap-4">
      {problem && (
        <Alert variant={state.message ? "destructive" : "warning"}>
          <CircleAlertIcon aria-hidden />
          <AlertDescription>{problem}</AlertDescription>
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
          aria-invalid={state.fieldErrors?.email ? true : undefined}
          aria-describedby={state.fieldErrors?.email ? `${id}-email-problem` : undefined}
        />
        <FieldProblem id={`${id}-email-problem`} text={state.fieldErrors?.email} />
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
          aria-invalid={state.fieldErrors?.password ? true : undefined}
          aria-describedby={state.fieldErrors?.password ? `${id}-password-problem` : undefined}
        />
        <FieldProblem id={`${id}-password-problem`} text={state.fieldErrors?.password} />
      </div>
      <Button type="submit" size="lg" className="mt-2 w-full" aria-disabled={pending || undefined}>
        {pending && <Spinner />}
        {t("login")}
      </Button>
      <PasskeySignIn request={passkeyRequest} from={from} submit={submit} />
    </form>
  );
}
