"use client";

import { MailIcon, SnowflakeIcon } from "lucide-react";
import { unstable_rethrow, useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState, useTransition } from "react";
import { ActionForm, leaveWhenSignedOut, SubmitButton, TextField } from "@/components/forms";
import { Alert, AlertDescription, AlertTitle } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { useNotify } from "@/components/ui/notify";
import { Spinner } from "@/components/ui/spinner";
import { type CustomerProfile, unfreezeCustomerSchema } from "@/lib/domain/customers";
import type { CustomerActions } from "./edit-customer-dialog";

/** Unfreezes a card with the code that its holder is mailed. */
export function FrozenCard({
  customer,
  sendCode,
  unfreeze,
}: { customer: CustomerProfile } & Pick<CustomerActions, "sendCode" | "unfreeze">) {
  const t = useTranslations();
  const notify = useNotify();
  const router = useRouter();
  const [sent, setSent] = useState(false);
  const [pending, startTransition] = useTransition();
  const send = () =>
    startTransition(async () => {
      if (pending) return;
      try {
        const result = await sendCode({ customerId: customer.id });
        if (leaveWhenSignedOut(result)) return;
        if (!result.ok) return notify.error(result.message);
        setSent(true);
        notify.success(t("customers.codeSent"));
      } catch (error) {
        unstable_rethrow(error);
        notify.error(t("errors.internal"));
      }
    });
  return (
    <Alert variant="warning" className="mb-5">
      <SnowflakeIcon aria-hidden />
      <AlertTitle>{t("customers.frozenTitle")}</AlertTitle>
      <AlertDescription className="flex flex-col gap-4">
        <p>{t("customers.frozenText")}</p>
        <Button
          variant="outline"
          className="h-auto min-h-10 w-fit max-w-full whitespace-normal py-2 text-start leading-snug"
          aria-disabled={pending || undefined}
          onClick={send}
        >
          {pending ? <Spinner /> : <MailIcon aria-hidden />}
          <span className="min-w-0 break-words">
            {sent ? t("customers.sendAgain") : t("customers.sendCode", { email: customer.email ?? "" })}
          </span>
        </Button>
        {sent && (
          <ActionForm
            schema={unfreezeCustomerSchema}
            action={unfreeze}
            defaultValues={{ customerId: customer.id, code: "" }}
            onSuccess={() => {
              notify.success(t("customers.unfrozen"));
              router.refresh();
            }}
            className="max-w-xs"
          >
            <TextField
              name="code"
              label={t("customers.code")}
              inputMode="numeric"
              autoComplete="one-time-code"
              dir="ltr"
            />
            <SubmitButton className="w-fit">{t("customers.unfreeze")}</SubmitButton>
          </ActionForm>
        )}
      </AlertDescription>
    </Alert>
  );
}
