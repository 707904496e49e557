"use client";

import { CircleAlertIcon, CircleCheckIcon, LogOutIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { z } from "zod";
import { acceptInvitationAction, resetPasswordAction } from "@/app/_session/actions";
import { ActionForm, SubmitButton } from "@/components/forms/action-form";
import { PasswordField } from "@/components/forms/text-fields";
import { Alert } from "@/components/ui/alert";
import { Button, LinkButton } from "@/components/ui/button";
import { acceptInvitationSchema, pinSchema, resetPasswordSchema } from "@/lib/accounts/model/account";
import { clearTab, postSignOut } from "../session/stored-session";

/** Asks a signed-in user who opened a mailed link, perhaps somebody else's, whether to sign out first. */
export function SignOutFirst({ userName, link, home }: { userName: string; link: string; home: string }) {
  const t = useTranslations("auth.signedIn");
  return (
    <div className="flex flex-col gap-4">
      <p>
        {t.rich("text", { name: userName, strong: (words) => <bdi className="font-medium">{words}</bdi> })}
      </p>
      <Button
        size="lg"
        onClick={() => {
          clearTab();
          postSignOut(link);
        }}
      >
        <LogOutIcon className="rtl:-scale-x-100" aria-hidden /> {t("signOut")}
      </Button>
      <LinkButton variant="outline" size="lg" href={home}>
        {t("stay")}
      </LinkButton>
    </div>
  );
}

const schema = resetPasswordSchema
  .extend({ again: z.string(), pin: z.literal("").or(pinSchema) })
  .refine(({ password, again }) => password === again, {
    path: ["again"],
    message: "validation.passwordsDiffer",
  });

const digits = { inputMode: "numeric", maxLength: 6, autoComplete: "off" } as const;

/** Says that a link works no more, and leads to a new one. */
export function LinkEnded({ message }: { message: string }) {
  const t = useTranslations("auth");
  return (
    <div className="flex flex-col gap-4">
      <Alert variant="destructive" icon={CircleAlertIcon}>
        {message}
      </Alert>
      <LinkButton size="lg" href="/forgot-password">
        {t("newLink")}
      </LinkButton>
    </div>
  );
}

function useEndedLink() {
  const [ended, setEnded] = useState<string | null>(null);
  const onRefused = ({ code, message }: { code: string; message: string }) => {
    if (code !== "link_invalid") return false;
    setEnded(message);
    return true;
  };
  return { ended, onRefused };
}

/** Sets a new password, typed twice, with the mailed link's token. An employee may set a PIN with it. */
export function ResetForm({ token, employee }: { token: string; employee: boolean }) {
  const t = useTranslations("auth");
  const pin = useTranslations("account.pin");
  const [done, setDone] = useState(false);
  const { ended, onRefused } = useEndedLink();
  if (done) {
    return (
      <div className="flex flex-col gap-4">
        <Alert variant="success" icon={CircleCheckIcon}>
          {t("resetDone")}
        </Alert>
        <LinkButton size="lg" href="/login">
          {t("login")}
        </LinkButton>
      </div>
    );
  }
  if (ended !== null) return <LinkEnded message={ended} />;
  return (
    <ActionForm
      schema={schema}
      action={({ password, pin: typed }) => resetPasswordAction({ token, password, pin: typed || undefined })}
      defaultValues={{ token, password: "", again: "", pin: "" }}
      onSuccess={() => setDone(true)}
      onRefused={onRefused}
    >
      <PasswordField
        name="password"
        label={t("newPassword")}
        hint={t("passwordHint")}
        autoComplete="new-password"
      />
      <PasswordField name="again" label={t("repeatPassword")} autoComplete="new-password" />
      {employee && (
        <PasswordField name="pin" label={pin("title")} hint={t("resetPin")} optional {...digits} />
      )}
      <SubmitButton size="lg">{t("resetSave")}</SubmitButton>
    </ActionForm>
  );
}

/** An employee's first password and PIN. It ends at the counter, signed in. */
export function InvitationForm({ token }: { token: string }) {
  const t = useTranslations("auth");
  const pin = useTranslations("account.pin");
  const { ended, onRefused } = useEndedLink();
  if (ended !== null) return <LinkEnded message={ended} />;
  return (
    <ActionForm
      schema={acceptInvitationSchema}
      action={acceptInvitationAction}
      defaultValues={{ token, password: "", pin: "" }}
      // A new page: the one before belonged to nobody.
      onSuccess={({ next }) => window.location.assign(next)}
      onRefused={onRefused}
    >
      <PasswordField
        name="password"
        label={t("password")}
        hint={t("passwordHint")}
        autoComplete="new-password"
      />
      <PasswordField name="pin" label={pin("title")} hint={pin("hint")} {...digits} />
      <SubmitButton size="lg">{t("inviteStart")}</SubmitButton>
    </ActionForm>
  );
}
