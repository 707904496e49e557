"use client";

import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import type { changePasswordAction, updateProfileAction } from "@/app/_panels/actions";
import { TitledCard } from "@/components/data/titled-card";
import { ActionForm, SubmitButton } from "@/components/forms/action-form";
import { CheckboxField } from "@/components/forms/checkbox-field";
import { PasswordField, PhoneField, TextField } from "@/components/forms/text-fields";
import { SignOutButton } from "@/components/panel/sign-out-button";
import { Badge } from "@/components/ui/badge";
import { Card, CardAction, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { DialogButton } from "@/components/ui/dialog-button";
import { useNotify } from "@/components/ui/notify";
import { type Account, changePasswordSchema, updateProfileSchema } from "@/lib/accounts/model/account";
import { formatPhone } from "@/lib/domain/contact";

const schema = updateProfileSchema.pick({ firstName: true, lastName: true, phone: true });

const loadEmailDialog = () => import("./change-own-email-dialog");

/** Edits the user's name and phone. The e-mail, which they sign in with, changes by codes in a dialog. */
export function ProfileCard({
  account,
  merchantName,
  action,
}: {
  account: Account;
  merchantName: string | null;
  action: typeof updateProfileAction;
}) {
  const t = useTranslations("account");
  const roles = useTranslations("roles");
  const notify = useNotify();
  const router = useRouter();
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("profile.title")}</CardTitle>
        <CardDescription className="wrap-anywhere">
          <bdi className="block">{account.email}</bdi>
          {merchantName && <bdi className="block">{merchantName}</bdi>}
          <DialogButton
            variant="link"
            className="h-9 px-0"
            load={loadEmailDialog}
            dialog={({ ChangeOwnEmailDialog }, button) => (
              <ChangeOwnEmailDialog present={account.email}>{button}</ChangeOwnEmailDialog>
            )}
          >
            {t("email.title")}
          </DialogButton>
        </CardDescription>
        <CardAction>
          <Badge variant="soft">{roles(`${account.role}.label`)}</Badge>
        </CardAction>
      </CardHeader>
      <CardContent>
        <ActionForm
          schema={schema}
          action={action}
          defaultValues={{
            firstName: account.firstName,
            lastName: account.lastName,
            phone: account.phone ? formatPhone(account.phone) : "",
          }}
          onSuccess={() => {
            notify.success(t("profile.saved"));
            router.refresh();
          }}
        >
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField name="firstName" label={t("profile.firstName")} autoComplete="given-name" />
            <TextField name="lastName" label={t("profile.lastName")} autoComplete="family-name" />
          </div>
          <PhoneField name="phone" label={t("profile.phone")} optional={merchantName === null} />
          <SubmitButton className="self-start">{t("profile.save")}</SubmitButton>
        </ActionForm>
      </CardContent>
    </Card>
  );
}

/** Changes the user's password, which ends all other sessions. Where there is a PIN, it asks whether to keep it. */
export function PasswordCard({
  email,
  hasPin,
  action,
}: {
  email: string;
  hasPin: boolean;
  action: typeof changePasswordAction;
}) {
  const t = useTranslations("account.password");
  const notify = useNotify();
  const router = useRouter();
  return (
    <TitledCard title={t("title")} text={t("description")}>
      <ActionForm
        schema={changePasswordSchema}
        action={action}
        defaultValues={{ oldPassword: "", newPassword: "", keepPin: false }}
        onSuccess={({ ended }, form) => {
          form.reset();
          notify.success(t("saved", { ended }));
          router.refresh();
        }}
      >
        {/* Password managers save the new password under this user name. */}
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <PasswordField name="oldPassword" label={t("old")} autoComplete="current-password" />
        <PasswordField name="newPassword" label={t("new")} hint={t("hint")} autoComplete="new-password" />
        {hasPin && <CheckboxField name="keepPin" label={t("keepPin")} hint={t("keepPinHint")} />}
        <SubmitButton className="self-start">{t("save")}</SubmitButton>
      </ActionForm>
    </TitledCard>
  );
}

/** Signs out. On a phone, people look for it on the account page. */
export function SignOutCard() {
  const t = useTranslations("account.leave");
  return (
    <Card>
      <CardContent className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-muted-foreground text-sm">{t("text")}</p>
        <SignOutButton variant="outline" />
      </CardContent>
    </Card>
  );
}
