"use client";

import { HandCoinsIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import type { ComponentProps } from "react";
import { z } from "zod";
import { FormDialog } from "@/components/forms/form-dialog";
import { sendUnderKey } from "@/components/forms/idempotency-key";
import { AmountField, TextareaField, TextField } from "@/components/forms/text-fields";
import { api, toResult } from "@/lib/api/client";
import { formatMoney, formatPoints } from "@/lib/domain/money";
import { refundSchema } from "@/lib/ledger/model/movements";
import { ledgerCalls } from "@/lib/ledger/names";

const { movementId, points, reason, saleRef } = refundSchema.shape;
// Without an amount all that is left is given back.
const formSchema = z.object({ movementId, reason, saleRef, points: z.union([z.literal(""), points]) });

type RefundProps = {
  /** The redemption; `left` is how many points of it can still be given back. */
  movement: {
    id: string;
    customerName: string;
    left: number;
    /** Dirhams per point of the redemption, where the list knows it. */
    rate?: number;
  };
  session: string;
  trigger?: ComponentProps<typeof FormDialog>["trigger"];
  /** The panel in whose log the refund is opened after success. */
  base?: string;
  onRefunded?: () => void;
  defaultOpen?: boolean;
};

/** Gives a redemption back, or a part of it, with a reason. */
export function RefundDialog({ movement, session, trigger, base, onRefunded, defaultOpen }: RefundProps) {
  const t = useTranslations("refund");
  const unavailable = useTranslations("errors")("unavailable");
  const locale = useLocale();
  const { left: points, rate } = movement;
  const left = rate === undefined ? formatPoints(points, locale) : formatMoney(points, rate, locale);
  return (
    <FormDialog
      defaultOpen={defaultOpen}
      trigger={trigger ?? { icon: HandCoinsIcon, children: t("refund") }}
      title={t("title")}
      description={t("text", { left, name: movement.customerName })}
      schema={formSchema}
      action={async ({ points: amount, ...rest }: z.input<typeof formSchema>) => {
        const input = { ...rest, points: amount === "" ? undefined : amount };
        const answer = await sendUnderKey(`refund.${movement.id}`, (idempotencyKey) =>
          api(ledgerCalls.refund, { ...input, idempotencyKey }, { session }),
        );
        return toResult(answer, unavailable);
      }}
      defaultValues={{ movementId: movement.id, points: "", reason: "", saleRef: "" }}
      submit={{ children: t("refund") }}
      done={base ? undefined : t("done")}
      opens={base ? ({ id }) => `${base}/transactions/${id}` : undefined}
      onDone={onRefunded}
    >
      <AmountField name="points" label={t("points")} hint={t("pointsHint")} />
      <TextareaField name="reason" label={t("reason")} rows={2} maxLength={500} />
      <TextField name="saleRef" label={t("saleRef")} autoComplete="off" maxLength={64} />
    </FormDialog>
  );
}
