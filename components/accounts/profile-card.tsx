"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import {
  changeOwnEmailAction,
  changePasswordAction,
  sendOwnEmailCodesAction,
  updateProfileAction,
} from "@/app/_panels/actions";
import { CodeStep } from "@/components/codes/code-step";
import { NewAddressForm } from "@/components/codes/new-address-form";
import { useMailedCode } from "@/components/codes/use-mailed-code";
import { TitledCard } from "@/components/data/titled-card";
import { ActionForm, SubmitButton } from "@/components/forms/action-form";
import { CheckboxField } from "@/components/forms/checkbox-field";
import { PasswordField, PhoneField, TextField } from "@/components/forms/text-fields";
import { SignOutButton } from "@/components/panel/sign-out-button";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card, CardAction, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { Dialog, DialogContent, DialogHeader, DialogTrigger } from "@/components/ui/dialog";
import { useNotify } from "@/components/ui/notify";
import { changePasswordSchema, updateProfileSchema } from "@/lib/accounts/model/account";
import type { Account } from "@/lib/accounts/names";
import { formatPhone } from "@/lib/domain/contact";
import type { ActionResult } from "@/lib/domain/errors";
import { withStepUp } from "./session/step-up";
import { useSaid } from "./session/use-action";

const schema = updateProfileSchema.pick({ firstName: true, lastName: true, phone: true });

/** The steps to another address: the new address, its code, and the code of the present address where it was proved. */
function EmailSteps({ present, close }: { present: string; close: () => void }) {
  const t = useTranslations("account.email");
  const api = useTranslations("api");
  const notify = useNotify();
  const said = useSaid();
  const [email, setEmail] = useState("");
  const [both, setBoth] = useState(true);
  const [newCode, setNewCode] = useState<string | null>(null);
  const done = ({ ended }: { ended: number }) => {
    close();
    said(t("changed", { ended }));
  };
  const send = () => withStepUp(() => sendOwnEmailCodesAction({ email }));
  const onSent = (sent: { both: boolean }) => {
    setBoth(sent.both);
    // For the first code, the next step says that it was sent.
    if (first.sent) notify.success(api("otpSent"));
  };
  const change = async (code: string, oldCode?: string) => {
    const result = await withStepUp(() => changeOwnEmailAction({ email, code, oldCode }));
    if (!result.ok && "code" in result.fieldErrors && oldCode !== undefined) {
      // The first code was wrong, so go back to its step.
      setNewCode(null);
      first.change("", false);
      notify.error(result.message);
    }
    return result;
  };
  const first = useMailedCode({
    send,
    onSent,
    // Both codes are checked together at the end.
    enter: async (code): Promise<ActionResult<{ code: string } | { ended: number }>> =>
      both ? { ok: true, data: { code } } : change(code),
    onDone: (entered) => ("code" in entered ? setNewCode(entered.code) : done(entered)),
  });
  const second = useMailedCode({
    send,
    onSent: (sent) => {
      onSent(sent);
      // Both codes are new.
      setNewCode(null);
      first.change("", false);
    },
    enter: (code) => change(newCode ?? "", code),
    onDone: done,
  });
  const stage = newCode !== null ? "old" : first.sent ? "new" : "address";
  const isolated = (parts: ReactNode) => <bdi className="wrap-anywhere font-medium">{parts}</bdi>;
  const texts = {
    address: t("text"),
    new: t.rich("sentNew", { address: () => isolated(email) }),
    old: t.rich("sentOld", { address: () => isolated(present) }),
  };
  return (
    <>
      <DialogHeader title={t("title")} text={texts[stage]} />
      {stage === "address" && (
        <NewAddressForm
          label={t("new")}
          sendLabel={t("send")}
          email={email}
          onChange={setEmail}
          code={first}
        />
      )}
      {stage === "new" && <CodeStep key="new" code={first} submitLabel={t(both ? "next" : "confirm")} />}
      {stage === "old" && <CodeStep key="old" code={second} submitLabel={t("confirm")} />}
    </>
  );
}

function ChangeOwnEmail({ present }: { present: string }) {
  const t = useTranslations("account.email");
  const [open, setOpen] = useState(false);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button variant="link" className="h-9 px-0">
          {t("title")}
        </Button>
      </DialogTrigger>
      <DialogContent>
        <EmailSteps present={present} close={() => setOpen(false)} />
      </DialogContent>
    </Dialog>
  );
}

/** Edits the user's name and phone. The e-mail, which they sign in with, changes by codes in a dialog. */
export function ProfileCard({ account, merchantName }: { account: Account; merchantName: string | null }) {
  const t = useTranslations("account");
  const roles = useTranslations("roles");
  const said = useSaid();
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("profile.title")}</CardTitle>
        <CardDescription className="wrap-anywhere">
          <bdi className="block">{account.email}</bdi>
          {merchantName && <bdi className="block">{merchantName}</bdi>}
          <ChangeOwnEmail present={account.email} />
        </CardDescription>
        <CardAction>
          <Badge variant="soft">{roles(`${account.role}.label`)}</Badge>
        </CardAction>
      </CardHeader>
      <CardContent>
        <ActionForm
          schema={schema}
          action={updateProfileAction}
          defaultValues={{
            firstName: account.firstName,
            lastName: account.lastName,
            phone: account.phone ? formatPhone(account.phone) : "",
          }}
          onSuccess={() => said(t("profile.saved"))}
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
export function PasswordCard({ email, hasPin }: { email: string; hasPin: boolean }) {
  const t = useTranslations("account.password");
  const said = useSaid();
  return (
    <TitledCard title={t("title")} text={t("description")}>
      <ActionForm
        schema={changePasswordSchema}
        action={changePasswordAction}
        defaultValues={{ oldPassword: "", newPassword: "", keepPin: false }}
        onSuccess={({ ended }, form) => {
          form.reset();
          said(t("saved", { ended }));
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
