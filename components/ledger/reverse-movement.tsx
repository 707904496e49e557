"use client";

import { Undo2Icon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import type { z } from "zod";
import { FormDialog } from "@/components/forms/form-dialog";
import { TextareaField } from "@/components/forms/text-fields";
import { api, toResult } from "@/lib/api/client";
import { formatMoney } from "@/lib/domain/money";
import { type LoggedMovement, requiredReason, reverseSchema } from "@/lib/ledger/model/movements";
import { ledgerCalls } from "@/lib/ledger/names";

const formSchema = reverseSchema.pick({ movementId: true }).extend({ reason: requiredReason });

type ReverseMovementProps = {
  movement: LoggedMovement;
  base: string;
  handle: string;
};

/** Reverses a movement by the call of the counter's Undo. A repeat gets the same reversal, so it needs no key. */
export function ReverseMovement({ movement, base, handle }: ReverseMovementProps) {
  const t = useTranslations("transactions");
  const lost = useTranslations("counter")("undoLost");
  const locale = useLocale();
  const amount = formatMoney(Math.abs(movement.points), movement.rate, locale);
  const label = (
    <>
      <Undo2Icon className="rtl:-scale-x-100" aria-hidden /> {t("reverse")}
    </>
  );
  return (
    <FormDialog
      trigger={{ children: label, className: "text-destructive-strong hover:text-destructive-strong" }}
      title={t("reverseTitle")}
      description={t("reverseText", { amount, name: movement.customer.fullName })}
      schema={formSchema}
      action={async (input: z.input<typeof formSchema>) =>
        toResult(await api(ledgerCalls.reverse, input, { session: handle }), lost)
      }
      defaultValues={{ movementId: movement.id, reason: "" }}
      submit={{ children: t("reverse"), variant: "destructive" }}
      opens={({ id }) => `${base}/transactions/${id}`}
    >
      <TextareaField
        name="reason"
        label={t("reverseReason")}
        hint={t("reverseReasonHint")}
        rows={3}
        maxLength={500}
      />
    </FormDialog>
  );
}
