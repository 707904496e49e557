"use client";

import { ReceiptIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
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
import { type LoggedMovement, leftToRefund, refundSchema } from "@/lib/domain/movements";
import type { Locale } from "@/lib/domain/roles";

const { movementId, points, reason, saleRef } = refundSchema.shape;
// Without an amount all that is left is given back.
const formSchema = z.object({ movementId, reason, saleRef, points: z.union([z.literal(""), points]) });

type RefundAction = (input: z.input<typeof refundSchema>) => Promise<ActionResult<{ id: string }>>;
type RefundProps = { movement: LoggedMovement; base: string; refund: RefundAction };

/** Gives a redemption back, or a part of it, with a reason. */
export function RefundDialog(props: RefundProps) {
  const t = useTranslations("refund");
  const locale = useLocale() as Locale;
  const [open, setOpen] = useState(false);
  const left = formatPoints(leftToRefund(props.movement), locale);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button variant="outline">
          <ReceiptIcon aria-hidden /> {t("refund")}
        </Button>
      </DialogTrigger>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>{t("title")}</DialogTitle>
          <DialogDescription>{t("text", { left, name: props.movement.customer.fullName })}</DialogDescription>
        </DialogHeader>
        <RefundForm {...props} onRefunded={() => setOpen(false)} />
      </DialogContent>
    </Dialog>
  );
}

function RefundForm({ movement, base, refund, onRefunded }: RefundProps & { onRefunded: () => void }) {
  const t = useTranslations("refund");
  const notify = useNotify();
  const router = useRouter();
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
        onRefunded();
        notify.success(t("done"));
        router.push(`${base}/transactions/${id}`);
        router.refresh();
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
