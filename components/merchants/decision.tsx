"use client";

import { CheckIcon, XIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import type { z } from "zod";
import { ConfirmButton } from "@/components/data/confirm-button";
import { GuardedSteps } from "@/components/data/guarded-steps";
import { ActionForm, SubmitButton } from "@/components/forms/action-form";
import { TextareaField } from "@/components/forms/text-fields";
import { Button } from "@/components/ui/button";
import { useNotify } from "@/components/ui/notify";
import { Sheet, SheetContent, SheetTrigger } from "@/components/ui/sheet";
import type { ActionResult } from "@/lib/domain/errors";
import { type MerchantNames, merchantName } from "@/lib/domain/merchant-name";
import { requiredReason } from "@/lib/ledger/model/movements";
import { decideMerchantSchema, type MerchantDetail } from "@/lib/merchants/model/merchant";

const rejectSchema = decideMerchantSchema.extend({ reason: requiredReason });

type Applicant = Pick<MerchantDetail, "id" | keyof MerchantNames | "email" | "status" | "profileVersion">;

/**
 * Approves, or rejects an application in two steps with a reason. The owner gets an e-mail either way. An approved
 * merchant is suspended instead of rejected: nothing can be posted to its cards, but nothing is lost.
 */
export function Decision({ merchant, decide }: { merchant: Applicant; decide: DecideAction }) {
  const t = useTranslations("merchants");
  const router = useRouter();
  const name = merchantName(merchant, useLocale());
  const { id, status, profileVersion: version } = merchant;
  return (
    <>
      {status === "pending" && <Rejection merchant={merchant} name={name} decide={decide} />}
      {status !== "approved" && (
        <ConfirmButton
          variant="success"
          title={t("approveOne", { name })}
          description={t("approveText")}
          confirmLabel={t("approve")}
          confirmVariant="success"
          run={() => decide({ id, status: "approved", seen: status, version })}
          onDone={() => router.refresh()}
        >
          <CheckIcon aria-hidden /> {t("approve")}
        </ConfirmButton>
      )}
    </>
  );
}

function Rejection({
  merchant: { id, email, status, profileVersion: version },
  name,
  decide,
}: {
  merchant: Applicant;
  name: string;
  decide: DecideAction;
}) {
  const t = useTranslations("merchants");
  const statuses = useTranslations("status");
  const notify = useNotify();
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const done = () => {
    setOpen(false);
    router.refresh();
  };
  return (
    <Sheet open={open} onOpenChange={setOpen}>
      <SheetTrigger asChild>
        <Button variant="outline">
          <XIcon aria-hidden /> {t("reject")}
        </Button>
      </SheetTrigger>
      <SheetContent side="end">
        <ActionForm
          className="min-h-full"
          schema={rejectSchema}
          action={decide}
          defaultValues={{ id, status: "rejected", reason: "", seen: status, version }}
          onSuccess={done}
          onRefused={(refusal) => {
            if (refusal.code !== "conflict") return false;
            notify.error(refusal.message);
            done();
            return true;
          }}
        >
          {(form) => (
            <GuardedSteps
              title={t("rejectOne", { name })}
              description={t("rejectText")}
              facts={[
                { label: t("business"), after: name },
                { label: t("owner"), after: email },
                { label: t("status"), before: statuses("pending"), after: statuses("rejected") },
              ]}
              expected={name}
              onContinue={() => form.trigger("reason")}
              submit={(ready) => (
                <SubmitButton variant="destructive" disabled={!ready}>
                  {t("reject")}
                </SubmitButton>
              )}
            >
              <TextareaField name="reason" label={t("reason")} hint={t("reasonHint")} maxLength={500} />
            </GuardedSteps>
          )}
        </ActionForm>
      </SheetContent>
    </Sheet>
  );
}

export type DecideAction = (
  input: z.input<typeof decideMerchantSchema>,
) => Promise<ActionResult<MerchantDetail>>;
