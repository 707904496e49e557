"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { ActionForm, PasswordField, SubmitButton } from "@/components/forms";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { useNotify } from "@/components/ui/notify";
import type { ActionResult } from "@/lib/domain/result";
import { type ChangePassword, changePasswordSchema } from "@/lib/domain/schemas/account";

/** Changes the own password; every other session ends with it. */
export function PasswordCard({
  email,
  action,
}: {
  email: string;
  action: (input: ChangePassword) => Promise<ActionResult<{ ended: number }>>;
}) {
  const t = useTranslations("account.password");
  const notify = useNotify();
  const router = useRouter();
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("title")}</CardTitle>
        <CardDescription>{t("description")}</CardDescription>
      </CardHeader>
      <CardContent>
        <ActionForm
          schema={changePasswordSchema}
          action={action}
          defaultValues={{ oldPassword: "", newPassword: "" }}
          onSuccess={({ ended }, form) => {
            form.reset();
            notify.success(t("saved", { ended }));
            router.refresh();
          }}
        >
          {/* Password managers keep the new password under this name. */}
          <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
          <PasswordField name="oldPassword" label={t("old")} autoComplete="current-password" />
          <PasswordField name="newPassword" label={t("new")} hint={t("hint")} autoComplete="new-password" />
          <SubmitButton className="self-start">{t("save")}</SubmitButton>
        </ActionForm>
      </CardContent>
    </Card>
  );
}
