"use client";

import { ReceiptIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { z } from "zod";
import { AmountField, TextareaField, TextField } from "@/components/forms";
import { FormDialog } from "@/components/forms/form-dialog";
import type { ActionResult } from "@/lib/domain/errors";
import { formatPoints } from "@/lib/domain/money";
import { type LoggedMovement, leftToRefund, refundSchema } from "@/lib/domain/movements";
import type { Locale } from "@/lib/domain/roles";

const { movementId, points, reason, saleRef } = refundSchema.shape;
// Without an amount all that is left is given back.
const formSchema = z.object({ movementId, reason, saleRef, points: z.union([z.literal(""), points]) });

type RefundAction = (input: z.input<typeof refundSchema>) => Promise<ActionResult<{ id: string }>>;
type RefundProps = { movement: LoggedMovement; base: string; refund: RefundAction };

/** Gives a redemption back, or a part of it, with a reason. */
export function RefundDialog({ movement, base, refund }: RefundProps) {
  const t = useTranslations("refund");
  const locale = useLocale() as Locale;
  const left = formatPoints(leftToRefund(movement), locale);
  const label = (
    <>
      <ReceiptIcon aria-hidden /> {t("refund")}
    </>
  );
  return (
    <FormDialog
      trigger={{ children: label }}
      title={t("title")}
      description={t("text", { left, name: movement.customer.fullName })}
      schema={formSchema}
      action={({ points: amount, ...rest }: z.input<typeof formSchema>, idempotencyKey) =>
        refund({ ...rest, points: amount === "" ? undefined : amount, idempotencyKey })
      }
      defaultValues={{ movementId: movement.id, points: "", reason: "", saleRef: "" }}
      submit={{ children: t("refund") }}
      done={t("done")}
      opens={({ id }) => `${base}/transactions/${id}`}
    >
      <AmountField name="points" label={t("points")} hint={t("pointsHint")} />
      <TextareaField name="reason" label={t("reason")} rows={2} maxLength={500} />
      <TextField name="saleRef" label={t("saleRef")} autoComplete="off" maxLength={64} />
    </FormDialog>
  );
}
