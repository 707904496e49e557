"use client";

import { CirclePauseIcon, CirclePlayIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import type { z } from "zod";
import { ConfirmButton } from "@/components/data/confirm-button";
import { FormDialog } from "@/components/forms/form-dialog";
import { TextareaField } from "@/components/forms/text-fields";
import type { ActionResult } from "@/lib/domain/errors";
import { type MerchantNames, merchantName } from "@/lib/domain/merchant-name";
import { requiredReason } from "@/lib/ledger/model/movements";
import type { MerchantDetail } from "@/lib/merchants/model/merchant";
import { suspendMerchantSchema } from "@/lib/merchants/model/merchant-settings";

const suspendSchema = suspendMerchantSchema.extend({ reason: requiredReason });

type SuspendAction = (input: z.input<typeof suspendMerchantSchema>) => Promise<ActionResult<MerchantDetail>>;

/** Suspends a merchant with a reason, or ends its suspension. The owner gets an e-mail either way. */
export function Suspension({
  merchant,
  suspend,
}: {
  merchant: Pick<MerchantDetail, "id" | keyof MerchantNames | "suspendedAt">;
  suspend: SuspendAction;
}) {
  const t = useTranslations("suspension");
  const router = useRouter();
  const name = merchantName(merchant, useLocale());
  const { id, suspendedAt } = merchant;
  if (suspendedAt !== null) {
    return (
      <ConfirmButton
        variant="outline"
        title={t("endOne", { name })}
        description={t("endText")}
        confirmLabel={t("end")}
        confirmVariant="default"
        run={() => suspend({ id, suspended: false })}
        onDone={() => router.refresh()}
      >
        <CirclePlayIcon aria-hidden /> {t("end")}
      </ConfirmButton>
    );
  }
  const label = (
    <>
      <CirclePauseIcon aria-hidden /> {t("suspend")}
    </>
  );
  return (
    <FormDialog<z.input<typeof suspendSchema>, MerchantDetail>
      trigger={{ children: label }}
      title={t("suspendOne", { name })}
      description={t("suspendText")}
      schema={suspendSchema}
      action={suspend}
      defaultValues={{ id, suspended: true, reason: "" }}
      submit={{ children: t("suspend"), variant: "destructive" }}
    >
      <TextareaField name="reason" label={t("reason")} hint={t("reasonHint")} maxLength={500} />
    </FormDialog>
  );
}
