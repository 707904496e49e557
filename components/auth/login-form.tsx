"use client";

import { CircleAlertIcon } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useActionState, useEffect, useId } from "react";
import { forgetViews } from "@/components/data/kept-view";
import { Alert, AlertDescription } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Label } from "@/components/ui/label";
import { PasswordInput } from "@/components/ui/password-input";
import { Spinner } from "@/components/ui/spinner";

type State = { message?: string; fieldErrors?: Record<string, string>; email?: string };

/** Whoever sees the login page has no session: a handle left in the browser is of an ended one. */
function useForgottenHandle() {
  useEffect(() => {
    localStorage.removeItem("token");
    forgetViews();
  }, []);
}

/** E-mail and password. A form's own action, so it works before any script has loaded. */
export function LoginForm({
  action,
  from,
  notice,
}: {
  action: (before: State, form: FormData) => Promise<State>;
  from?: string;
  /** Why the reader was led here, when there is a reason. */
  notice?: string;
}) {
  const t = useTranslations("auth");
  const id = useId();
  const [state, submit, pending] = useActionState(action, {});
  useForgottenHandle();
  const problem = state.message ?? notice;
  return (
    <form action={submit} aria-busy={pending} className="flex flex-col gap-4">
      {problem && (
        <Alert variant={state.message ? "destructive" : "warning"}>
          <CircleAlertIcon aria-hidden />
          <AlertDescription>{problem}</AlertDescription>
        </Alert>
      )}
      {from && <input type="hidden" name="from" value={from} />}
      <div className="flex flex-col gap-1.5">
        <Label htmlFor={`${id}-email`}>{t("email")}</Label>
        <Input
          id={`${id}-email`}
          name="email"
          type="email"
          dir="ltr"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          defaultValue={state.email}
          aria-invalid={state.fieldErrors?.email ? true : undefined}
          className="rtl:text-end"
        />
        {state.fieldErrors?.email && <p className="text-destructive text-sm">{state.fieldErrors.email}</p>}
      </div>
      <div className="flex flex-col gap-1.5">
        <div className="flex items-baseline justify-between gap-4">
          <Label htmlFor={`${id}-password`}>{t("password")}</Label>
          <Link
            href="/forgot-password"
            className="text-primary-strong text-sm underline-offset-4 hover:underline"
          >
            {t("forgot")}
          </Link>
        </div>
        <PasswordInput
          id={`${id}-password`}
          name="password"
          autoComplete="current-password"
          required
          maxLength={128}
        />
      </div>
      <Button type="submit" size="lg" className="mt-2 w-full" aria-disabled={pending || undefined}>
        {pending && <Spinner />}
        {t("login")}
      </Button>
    </form>
  );
}
