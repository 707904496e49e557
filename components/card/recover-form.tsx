"use client";

import { MailCheckIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { ActionForm, SubmitButton } from "@/components/forms/action-form";
import { EmailField } from "@/components/forms/text-fields";
import { Alert, AlertDescription } from "@/components/ui/alert";
import { mailCardsSchema } from "@/lib/domain/card-holder";
import type { ActionResult } from "@/lib/domain/errors";

/** Wherever a card is missing: mails its link. The answer is the same whether or not the address has a card. */
export function RecoverForm({
  action,
}: {
  action: (input: { email: string }) => Promise<ActionResult<unknown>>;
}) {
  const t = useTranslations("card.recover");
  const [sent, setSent] = useState(false);
  return (
    <section className="flex w-full flex-col gap-3 rounded-xl border bg-card p-5 text-start text-card-foreground">
      <h2 className="font-semibold">{t("title")}</h2>
      {sent ? (
        <Alert variant="success">
          <MailCheckIcon aria-hidden />
          <AlertDescription>{t("sent")}</AlertDescription>
        </Alert>
      ) : (
        <>
          <p className="text-muted-foreground text-sm">{t("text")}</p>
          <ActionForm
            schema={mailCardsSchema}
            action={action}
            defaultValues={{ email: "" }}
            onSuccess={() => setSent(true)}
          >
            <EmailField name="email" label={t("email")} autoComplete="email" />
            <SubmitButton size="lg">{t("send")}</SubmitButton>
          </ActionForm>
        </>
      )}
    </section>
  );
}
