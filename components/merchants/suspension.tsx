"use client";

import { CirclePauseIcon, CirclePlayIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { z } from "zod";
import { ConfirmButton } from "@/components/data/confirm-button";
import { ActionForm, SubmitButton } from "@/components/forms/action-form";
import { TextareaField } from "@/components/forms/text-fields";
import { Button } from "@/components/ui/button";
import {
  Dialog,
  DialogCancel,
  DialogContent,
  DialogDescription,
  DialogFooter,
  DialogHeader,
  DialogTitle,
  DialogTrigger,
} from "@/components/ui/dialog";
import type { ActionResult } from "@/lib/domain/errors";
import { type MerchantNames, merchantName } from "@/lib/domain/merchant-name";
import type { Locale } from "@/lib/domain/roles";
import type { MerchantDetail } from "@/lib/merchants/model/merchant";
import { suspendMerchantSchema } from "@/lib/merchants/model/merchant-settings";

const suspendSchema = suspendMerchantSchema.extend({
  reason: z.string().trim().min(1, "validation.reason.required").max(500, "validation.reason.tooLong"),
});

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
  const [open, setOpen] = useState(false);
  const name = merchantName(merchant, useLocale() as Locale);
  const { id, suspendedAt } = merchant;
  const done = () => {
    setOpen(false);
    router.refresh();
  };
  if (suspendedAt !== null) {
    return (
      <ConfirmButton
        variant="outline"
        title={t("endOne", { name })}
        description={t("endText")}
        confirmLabel={t("end")}
        confirmVariant="default"
        run={() => suspend({ id, suspended: false })}
        onDone={done}
      >
        <CirclePlayIcon aria-hidden /> {t("end")}
      </ConfirmButton>
    );
  }
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button variant="outline">
          <CirclePauseIcon aria-hidden /> {t("suspend")}
        </Button>
      </DialogTrigger>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>{t("suspendOne", { name })}</DialogTitle>
          <DialogDescription>{t("suspendText")}</DialogDescription>
        </DialogHeader>
        <ActionForm
          schema={suspendSchema}
          action={suspend}
          defaultValues={{ id, suspended: true, reason: "" }}
          onSuccess={done}
        >
          <TextareaField name="reason" label={t("reason")} hint={t("reasonHint")} maxLength={500} />
          <DialogFooter>
            <DialogCancel />
            <SubmitButton variant="destructive">{t("suspend")}</SubmitButton>
          </DialogFooter>
        </ActionForm>
      </DialogContent>
    </Dialog>
  );
}
