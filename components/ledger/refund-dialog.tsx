"use client";

import { ReceiptIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { type ReactNode, useState } from "react";
import { z } from "zod";
import { newIdempotencyKey } from "@/components/counter/attempt";
import { ActionForm, AmountField, SubmitButton, TextareaField, TextField } from "@/components/forms";
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
import { useNotify } from "@/components/ui/notify";
import type { ActionResult } from "@/lib/domain/errors";
import { formatPoints } from "@/lib/domain/money";
import { refundSchema } from "@/lib/domain/movements";
import type { Locale } from "@/lib/domain/roles";

const { movementId, points, reason, saleRef } = refundSchema.shape;
// Without an amount all that is left is given back.
const formSchema = z.object({ movementId, reason, saleRef, points: z.union([z.literal(""), points]) });

type RefundAction = (input: z.input<typeof refundSchema>) => Promise<ActionResult<{ id: string }>>;
type RefundProps = {
  /** The redemption; `left` is how many points of it can still be given back. */
  movement: { id: string; customerName: string; left: number };
  refund: RefundAction;
  onRefunded: (refundId: string) => void;
  /** Replaces the button that opens it. */
  trigger?: ReactNode;
};

/** Gives a redemption back, or a part of it, with a reason. */
export function RefundDialog(props: RefundProps) {
  const t = useTranslations("refund");
  const locale = useLocale() as Locale;
  const [open, setOpen] = useState(false);
  const { movement, trigger } = props;
  const left = formatPoints(movement.left, locale);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        {trigger ?? (
          <Button variant="outline">
            <ReceiptIcon aria-hidden /> {t("refund")}
          </Button>
        )}
      </DialogTrigger>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>{t("title")}</DialogTitle>
          <DialogDescription>{t("text", { left, name: movement.customerName })}</DialogDescription>
        </DialogHeader>
        <RefundForm
          {...props}
          onRefunded={(id) => {
            setOpen(false);
            props.onRefunded(id);
          }}
        />
      </DialogContent>
    </Dialog>
  );
}

function RefundForm({ movement, refund, onRefunded }: RefundProps) {
  const t = useTranslations("refund");
  const notify = useNotify();
  // One key as long as the dialog is open: sent twice, it is refunded once.
  const [idempotencyKey] = useState(newIdempotencyKey);
  return (
    <ActionForm
      schema={formSchema}
      action={({ points: amount, ...rest }: z.input<typeof formSchema>) =>
        refund({ ...rest, points: amount === "" ? undefined : amount, idempotencyKey })
      }
      defaultValues={{ movementId: movement.id, points: "", reason: "", saleRef: "" }}
      onSuccess={({ id }) => {
        notify.success(t("done"));
        onRefunded(id);
      }}
    >
      <AmountField name="points" label={t("points")} hint={t("pointsHint")} />
      <TextareaField name="reason" label={t("reason")} rows={2} maxLength={500} />
      <TextField name="saleRef" label={t("saleRef")} autoComplete="off" maxLength={64} />
      <DialogFooter>
        <DialogCancel />
        <SubmitButton>{t("refund")}</SubmitButton>
      </DialogFooter>
    </ActionForm>
  );
}
