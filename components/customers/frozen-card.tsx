"use client";

import { MailIcon, SnowflakeIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { sendUnfreezeCodeAction, unfreezeCustomerAction } from "@/app/_panels/actions";
import { CodeStep } from "@/components/codes/code-step";
import { useMailedCode } from "@/components/codes/use-mailed-code";
import { FieldError } from "@/components/forms/field-error";
import { Alert, AlertDescription, AlertTitle } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { useNotify } from "@/components/ui/notify";
import { Spinner } from "@/components/ui/spinner";
import type { CustomerProfile } from "@/lib/customers/model/customers";

/** Unfreezes a card with a code that is mailed to its holder. */
export function FrozenCard({
  customer,
  codeEmail,
}: {
  customer: CustomerProfile;
  /** The e-mail address that gets the code. The card had this address 72 hours ago. */
  codeEmail: string;
}) {
  const t = useTranslations();
  const notify = useNotify();
  const router = useRouter();
  const code = useMailedCode({
    send: () => sendUnfreezeCodeAction({ customerId: customer.id }),
    onSent: () => notify.success(t("customers.codeSent")),
    enter: (digits) => unfreezeCustomerAction({ customerId: customer.id, code: digits }),
    onDone: () => router.refresh(),
  });
  return (
    <Alert variant="warning" className="mb-5">
      <SnowflakeIcon aria-hidden />
      <AlertTitle>{t("customers.frozenTitle")}</AlertTitle>
      <AlertDescription className="flex flex-col gap-4">
        <p>{t("customers.frozenText")}</p>
        {code.sent ? (
          <div className="w-full max-w-xs">
            <CodeStep
              code={code}
              label={t("customers.code")}
              submitLabel={t("customers.unfreeze")}
              resendLabel={t("customers.sendAgain")}
            />
          </div>
        ) : (
          <>
            {code.problem && <FieldError>{code.problem}</FieldError>}
            <Button
              variant="outline"
              className="h-auto min-h-10 w-fit max-w-full whitespace-normal py-2 text-start leading-snug"
              aria-disabled={code.sending || undefined}
              onClick={code.send}
            >
              {code.sending ? <Spinner /> : <MailIcon aria-hidden />}
              <span className="min-w-0 break-words">{t("customers.sendCode", { email: codeEmail })}</span>
            </Button>
          </>
        )}
      </AlertDescription>
    </Alert>
  );
}
