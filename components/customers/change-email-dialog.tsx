"use client";

import { HourglassIcon, MailIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { changeCustomerEmailAction, stopCustomerEmailAction } from "@/app/_panels/actions";
import { ConfirmButton } from "@/components/data/confirm-button";
import { FormDialog } from "@/components/forms/form-dialog";
import { EmailField, TextareaField } from "@/components/forms/text-fields";
import { Alert, AlertDescription, AlertTitle } from "@/components/ui/alert";
import type { PendingEmail } from "@/lib/cards/model/card-holder";
import { type CustomerProfile, changeCustomerEmailSchema } from "@/lib/customers/model/customers";
import { formatDateTime } from "@/lib/domain/time";

/** Restores an earlier e-mail of a card or sets a new one, which waits. */
export function ChangeCustomerEmailDialog({
  customer,
  earlier,
}: {
  customer: CustomerProfile;
  earlier: string[];
}) {
  const t = useTranslations("customers.restore");
  return (
    <FormDialog
      trigger={{
        children: (
          <>
            <MailIcon aria-hidden /> {t("open")}
          </>
        ),
      }}
      title={t("title")}
      description={t("text")}
      schema={changeCustomerEmailSchema}
      action={changeCustomerEmailAction}
      defaultValues={{ customerId: customer.id, email: earlier[0] ?? "", reason: "" }}
      submit={{ children: t("submit") }}
    >
      {earlier.length > 0 && (
        <p className="break-words text-muted-foreground text-sm">
          {t("earlier", { emails: earlier.map((email) => `\u2068${email}\u2069`).join(" · ") })}
        </p>
      )}
      <EmailField name="email" label={t("email")} autoComplete="off" />
      <TextareaField name="reason" label={t("reason")} hint={t("reasonHint")} maxLength={500} />
    </FormDialog>
  );
}

/** The pending change of a card's e-mail, with Cancel. */
export function PendingCustomerEmail({
  customer,
  pending,
}: {
  customer: CustomerProfile;
  pending: PendingEmail;
}) {
  const t = useTranslations("customers.restore");
  const card = useTranslations("card");
  const locale = useLocale();
  const router = useRouter();
  const words = { email: pending.email, time: formatDateTime(pending.dueAt, locale) };
  return (
    <Alert variant="warning" className="mb-5" data-slot="pending-email">
      <HourglassIcon aria-hidden />
      <AlertTitle>{t("pendingTitle")}</AlertTitle>
      <AlertDescription className="flex flex-col items-start gap-3">
        <p className="break-words">
          {t("pending", words)} {t(`by.${pending.kind}`)}
        </p>
        <ConfirmButton
          variant="outline"
          title={t("cancelQuestion")}
          description={t("cancelText")}
          confirmLabel={card("pendingEmailCancel")}
          run={() => stopCustomerEmailAction({ customerId: customer.id })}
          onDone={() => router.refresh()}
        >
          {card("pendingEmailCancel")}
        </ConfirmButton>
      </AlertDescription>
    </Alert>
  );
}
