"use client";

import { Undo2Icon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { z } from "zod";
import { ActionForm, SubmitButton, TextareaField } from "@/components/forms";
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
import { type LoggedMovement, reasonSchema, reverseSchema } from "@/lib/domain/movements";
import type { Locale } from "@/lib/domain/roles";

const formSchema = reverseSchema
  .pick({ movementId: true })
  .extend({ reason: reasonSchema.pipe(z.string().min(1, "validation.reason.required")) });

export type ReverseAction = (input: z.input<typeof reverseSchema>) => Promise<ActionResult<{ id: string }>>;

/** Reverses a movement, with a reason. A repeated request gets the same reversal from the ledger, so it needs no key. */
export function ReverseDialog({
  movement,
  reverse,
  base,
}: {
  movement: LoggedMovement;
  reverse: ReverseAction;
  base: string;
}) {
  const t = useTranslations("transactions");
  const locale = useLocale() as Locale;
  const notify = useNotify();
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const amount = formatPoints(Math.abs(movement.points), locale);
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button variant="outline" className="text-destructive-strong hover:text-destructive-strong">
          <Undo2Icon className="rtl:-scale-x-100" aria-hidden /> {t("reverse")}
        </Button>
      </DialogTrigger>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>{t("reverseTitle")}</DialogTitle>
          <DialogDescription>
            {t("reverseText", { amount, name: movement.customer.fullName })}
          </DialogDescription>
        </DialogHeader>
        <ActionForm
          schema={formSchema}
          action={reverse}
          defaultValues={{ movementId: movement.id, reason: "" }}
          onSuccess={({ id }) => {
            setOpen(false);
            notify.success(t("reversedDone"));
            router.push(`${base}/transactions/${id}`);
            router.refresh();
          }}
        >
          <TextareaField
            name="reason"
            label={t("reverseReason")}
            hint={t("reverseReasonHint")}
            rows={3}
            maxLength={500}
          />
          <DialogFooter>
            <DialogCancel />
            <SubmitButton variant="destructive">{t("reverse")}</SubmitButton>
          </DialogFooter>
        </ActionForm>
      </DialogContent>
    </Dialog>
  );
}
