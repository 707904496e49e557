"use client";

import { CircleAlertIcon, CircleCheckIcon } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import { z } from "zod";
import { ActionForm, SubmitButton } from "@/components/forms/action-form";
import { PasswordField } from "@/components/forms/text-fields";
import { Alert, AlertDescription } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { resetPasswordSchema } from "@/lib/accounts/model/account";
import type { ActionResult } from "@/lib/domain/errors";

type Action = (input: { token: string; password: string }) => Promise<ActionResult<unknown>>;

/** Sets a new password, typed twice, with the mailed link's token. */
export function ResetForm({ token, action }: { token: string; action: Action }) {
  const t = useTranslations("auth");
  const [done, setDone] = useState(false);
  const [ended, setEnded] = useState<string | null>(null);
  const schema = useMemo(
    () =>
      resetPasswordSchema.extend({ again: z.string() }).refine((value) => value.password === value.again, {
        path: ["again"],
        message: "validation.passwordsDiffer",
      }),
    [],
  );
  if (done) {
    return (
      <div className="flex flex-col gap-4">
        <Alert variant="success">
          <CircleCheckIcon aria-hidden />
          <AlertDescription>{t("resetDone")}</AlertDescription>
        </Alert>
        <Button asChild size="lg">
          <Link href="/login">{t("login")}</Link>
        </Button>
      </div>
    );
  }
  if (ended !== null) {
    return (
      <div className="flex flex-col gap-4">
        <Alert variant="destructive">
          <CircleAlertIcon aria-hidden />
          <AlertDescription>{ended}</AlertDescription>
        </Alert>
        <Button asChild size="lg">
          <Link href="/forgot-password">{t("newLink")}</Link>
        </Button>
      </div>
    );
  }
  return (
    <ActionForm
      schema={schema}
      action={({ password }) => action({ token, password })}
      defaultValues={{ token, password: "", again: "" }}
      onSuccess={() => setDone(true)}
      onRefused={({ code, message }) => {
        if (code !== "link_invalid") return false;
        setEnded(message);
        return true;
      }}
    >
      <PasswordField
        name="password"
        label={t("newPassword")}
        hint={t("passwordHint")}
        autoComplete="new-password"
      />
      <PasswordField name="again" label={t("repeatPassword")} autoComplete="new-password" />
      <SubmitButton size="lg">{t("resetSave")}</SubmitButton>
    </ActionForm>
  );
}
