"use client";

import { MailWarningIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { sendMailboxLinkAction } from "@/app/_panels/actions";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { useAction } from "./session/use-action";

/** Says that the user's address is not confirmed yet, and mails the link again. Nothing once it is. */
export function MailboxNotice({ mailbox }: { mailbox: { email: string; proved: boolean } }) {
  const t = useTranslations("confirmEmail");
  const [sent, setSent] = useState(false);
  const { pending, run } = useAction();
  if (mailbox.proved) return null;
  const sendAgain = () =>
    run(
      () => sendMailboxLinkAction({}),
      () => setSent(true),
    );
  return (
    <Alert
      variant="warning"
      icon={MailWarningIcon}
      title={t("noticeTitle")}
      textClass="flex flex-col items-start gap-3"
    >
      <p>
        {t.rich("noticeText", {
          email: () => <bdi className="break-all font-medium">{mailbox.email}</bdi>,
        })}
      </p>
      <p role="status" className={sent ? "font-medium" : "sr-only"}>
        {sent && t("sentAgain")}
      </p>
      {!sent && (
        <Button variant="outline" size="sm" onClick={sendAgain} disabled={pending}>
          {t("sendAgain")}
        </Button>
      )}
    </Alert>
  );
}
