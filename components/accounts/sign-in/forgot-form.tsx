"use client";

import { MailCheckIcon } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { forgotPasswordAction } from "@/app/_session/actions";
import { ActionForm, SubmitButton } from "@/components/forms/action-form";
import { EmailField } from "@/components/forms/text-fields";
import { Alert } from "@/components/ui/alert";
import { LinkButton } from "@/components/ui/button";
import { byEmailSchema } from "@/lib/accounts/model/account";

/** Requests a reset link. The answer is the same whether or not the account exists. */
export function ForgotForm() {
  const t = useTranslations("auth");
  const [sent, setSent] = useState(false);
  if (sent) {
    return (
      <div className="flex flex-col gap-4">
        <Alert variant="success" icon={MailCheckIcon}>
          {t("forgotSent")}
        </Alert>
        <LinkButton variant="outline" size="lg" href="/login">
          {t("backToLogin")}
        </LinkButton>
      </div>
    );
  }
  return (
    <ActionForm
      schema={byEmailSchema}
      action={forgotPasswordAction}
      defaultValues={{ email: "" }}
      onSuccess={() => setSent(true)}
    >
      <EmailField name="email" label={t("email")} autoComplete="username" />
      <SubmitButton size="lg">{t("forgotSend")}</SubmitButton>
      <Link
        href="/login"
        className="text-center text-link text-sm underline-offset-4 hover:underline pointer-coarse:-my-3 pointer-coarse:py-3"
      >
        {t("backToLogin")}
      </Link>
    </ActionForm>
  );
}
