"use client";

import { useTranslations } from "next-intl";
import { useId } from "react";
import { Input } from "@/components/ui/input";
import { Label } from "@/components/ui/label";

/** The field for a code of the authenticator app or a recovery code. In the demo it shows the app's present code. */
export function FactorCode({
  demoCode,
  problem,
  recovery = true,
  autoFocus = false,
}: {
  demoCode: string | null;
  problem?: string | undefined;
  /** Whether a recovery code is also accepted. */
  recovery?: boolean;
  autoFocus?: boolean;
}) {
  const t = useTranslations("factors");
  const id = useId();
  const describedBy = [`${id}-hint`, demoCode && `${id}-demo`, problem && `${id}-problem`].filter(Boolean);
  return (
    <div className="grid gap-1.5">
      <Label htmlFor={id}>{t("code")}</Label>
      <Input
        id={id}
        name="code"
        dir="ltr"
        required
        autoFocus={autoFocus}
        maxLength={40}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        aria-invalid={problem ? true : undefined}
        aria-describedby={describedBy.join(" ")}
        className="font-mono tracking-widest rtl:text-end"
      />
      <p id={`${id}-hint`} className="text-muted-foreground text-sm">
        {recovery ? t("codeHint") : t("codeHintApp")}
      </p>
      {demoCode && (
        <p id={`${id}-demo`} className="rounded-md bg-muted px-3 py-2 text-sm">
          {t.rich("demoCode", {
            code: () => (
              <bdi dir="ltr" data-testid="demo-code" className="font-mono font-semibold tracking-widest">
                {demoCode}
              </bdi>
            ),
          })}
        </p>
      )}
      {problem && (
        <p id={`${id}-problem`} role="alert" className="text-destructive text-sm">
          {problem}
        </p>
      )}
    </div>
  );
}
