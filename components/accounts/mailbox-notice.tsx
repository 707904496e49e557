"use client";

import { MailWarningIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState, useTransition } from "react";
import { Alert, AlertDescription, AlertTitle } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { useNotify } from "@/components/ui/notify";
import type { ActionResult } from "@/lib/domain/errors";
import { redirectIfSignedOut } from "./session/session";

/** Says that the user's address is not confirmed yet, and mails the link again. Nothing once it is. */
export function MailboxNotice({
  mailbox,
  send,
}: {
  mailbox: { email: string; proved: boolean };
  send: (input: Record<never, never>) => Promise<ActionResult<{ sent: true }>>;
}) {
  const t = useTranslations("confirmEmail");
  const notify = useNotify();
  const [sent, setSent] = useState(false);
  const [busy, start] = useTransition();
  if (mailbox.proved) return null;
  const sendAgain = () =>
    start(async () => {
      const result = await send({});
      if (redirectIfSignedOut(result)) return;
      if (result.ok) setSent(true);
      else notify.error(result.message);
    });
  return (
    <Alert variant="warning">
      <MailWarningIcon aria-hidden />
      <AlertTitle>{t("noticeTitle")}</AlertTitle>
      <AlertDescription className="flex flex-col items-start gap-3">
        <p>
          {t.rich("noticeText", {
            email: () => <bdi className="break-all font-medium">{mailbox.email}</bdi>,
          })}
        </p>
        <p role="status" className={sent ? "font-medium" : "sr-only"}>
          {sent && t("sentAgain")}
        </p>
        {!sent && (
          <Button variant="outline" size="sm" onClick={sendAgain} disabled={busy}>
            {t("sendAgain")}
          </Button>
        )}
      </AlertDescription>
    </Alert>
  );
}
