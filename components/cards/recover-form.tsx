"use client";

import { MailCheckIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { mailCardsAction } from "@/app/customer/actions";
import { ActionForm, SubmitButton } from "@/components/forms/action-form";
import { EmailField } from "@/components/forms/text-fields";
import { Alert } from "@/components/ui/alert";

const loadSchema = async () => (await import("@/lib/accounts/model/account")).byEmailSchema;

/** Wherever a card is missing: mails its link. The answer is the same whether or not the address has a card. */
export function RecoverForm() {
  const t = useTranslations("card.recover");
  const [sent, setSent] = useState(false);
  return (
    <section className="flex w-full flex-col gap-3 rounded-xl border bg-card p-5 text-start text-card-foreground">
      {sent ? (
        <Alert variant="success" icon={MailCheckIcon}>
          {t("sent")}
        </Alert>
      ) : (
        <>
          <h2 className="font-semibold">{t("title")}</h2>
          <p className="text-muted-foreground text-sm">{t("text")}</p>
          <ActionForm
            schema={loadSchema}
            action={mailCardsAction}
            defaultValues={{ email: "" }}
            onSuccess={() => setSent(true)}
            className="gap-3"
          >
            <EmailField name="email" label={t("email")} size="xl" />
            <SubmitButton size="xl">{t("send")}</SubmitButton>
          </ActionForm>
        </>
      )}
    </section>
  );
}
