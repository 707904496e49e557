"use client";

import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/browser";
import { useTranslations } from "next-intl";
import { useEffect, useId, useRef, useState } from "react";
import { CodeField } from "@/components/codes/code-field";
import { CODE_LENGTH } from "@/components/codes/use-mailed-code";
import { FieldError } from "@/components/forms/field-error";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { Label } from "@/components/ui/label";
import type { Assertion } from "@/lib/accounts/model/second-factor";
import type { FactorRequest } from "@/lib/domain/errors";

/** Asks the browser for a passkey. Null if the user cancelled or has none. */
export async function askPasskey({ options }: FactorRequest): Promise<Assertion | null> {
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  try {
    const { startAuthentication } = await import("@simplewebauthn/browser");
    return (await startAuthentication({ optionsJSON })) as Assertion;
  } catch {
    return null;
  }
}

type Problem = {
  problem: string | undefined;
  busy: boolean;
  autoFocus?: boolean;
};

function AppCode({ problem, busy, autoFocus = false }: Problem) {
  const t = useTranslations("factors");
  const [value, setValue] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const wasBusy = useRef(false);
  useEffect(() => {
    if (wasBusy.current && !busy && problem) {
      setValue("");
      field.current?.focus();
    }
    wasBusy.current = busy;
  }, [busy, problem]);
  const change = (next: string, toEnd: boolean) => {
    const completed = next.length === CODE_LENGTH && (toEnd || value.length < CODE_LENGTH);
    setValue(next);
    // The field has its digits already.
    if (completed) field.current?.form?.requestSubmit();
  };
  return (
    <CodeField
      code={{ value, busy, field, change, problem: value === "" && problem ? problem : null }}
      name="code"
      label={t("code")}
      hint={t("codeHintApp")}
      autoFocus={autoFocus}
    />
  );
}

function RecoveryCode({ problem, autoFocus = false }: Omit<Problem, "busy">) {
  const t = useTranslations("factors");
  const id = useId();
  return (
    <div className="grid gap-1.5">
      <Label htmlFor={id}>{t("recoveryCode")}</Label>
      <Input
        id={id}
        name="code"
        dir="ltr"
        required
        autoFocus={autoFocus}
        maxLength={40}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem && `${id}-problem`}
        className="font-mono tracking-widest rtl:text-end"
      />
      {problem && <FieldError id={`${id}-problem`}>{problem}</FieldError>}
    </div>
  );
}

/** The field for a code of the authenticator app or for a recovery code. The demo shows the app's present code. */
export function FactorCode({
  request: { methods, demoCode },
  ...field
}: Problem & { request: Pick<FactorRequest, "methods" | "demoCode"> }) {
  const t = useTranslations("factors");
  const byApp = methods.includes("totp");
  const [recovers, setRecovers] = useState(!byApp);
  return (
    <div className="grid gap-3">
      {recovers ? <RecoveryCode {...field} /> : <AppCode {...field} />}
      {demoCode && !recovers && (
        <p className="rounded-md bg-muted px-3 py-2 text-sm">
          {t.rich("demoCode", {
            code: () => (
              <bdi dir="ltr" data-testid="demo-code" className="font-mono font-semibold tracking-widest">
                {demoCode}
              </bdi>
            ),
          })}
        </p>
      )}
      {byApp && methods.includes("recovery") && (
        <Button variant="link" size="sm" className="w-fit px-0" onClick={() => setRecovers(!recovers)}>
          {t(recovers ? "useApp" : "useRecovery")}
        </Button>
      )}
    </div>
  );
}
