"use client";

import { Trash2Icon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { useId, useState } from "react";
import { CodeStep } from "@/components/codes/code-step";
import { useMailedCode } from "@/components/codes/use-mailed-code";
import { FieldError } from "@/components/forms/field";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import {
  Dialog,
  DialogContent,
  DialogDescription,
  DialogHeader,
  DialogTitle,
  DialogTrigger,
} from "@/components/ui/dialog";
import { useNotify } from "@/components/ui/notify";
import { Spinner } from "@/components/ui/spinner";
import { formatPoints, formatQar } from "@/lib/domain/money";
import type { Locale } from "@/lib/domain/roles";
import { clearPending, INFO_KEY } from "./kept-data";
import type { CardActions, ShownState } from "./types";

/** Deletes the card and the person's data: by a mailed code, giving up what is left on it in so many words. */
export function DeleteCard({
  customerId,
  state,
  actions,
  onDeleted,
}: {
  customerId: string;
  state: ShownState;
  actions: CardActions;
  onDeleted: () => void;
}) {
  const t = useTranslations("card");
  const api = useTranslations("api");
  const notify = useNotify();
  const locale = useLocale() as Locale;
  const id = useId();
  const [open, setOpen] = useState(false);
  const [given, setGiven] = useState(false);
  const code = useMailedCode({
    send: () => actions.sendCode({ customerId, purpose: "erase" }),
    onSent: () => notify.success(api("otpSent")),
    enter: (digits) =>
      actions.erase({ customerId, code: digits, ...(given ? { giveUp: state.balance } : {}) }),
    onDone: () => {
      clearPending();
      localStorage.removeItem(INFO_KEY);
      setOpen(false);
      onDeleted();
    },
    submitsItself: false,
  });
  const left = { points: formatPoints(state.balance, locale), cash: formatQar(state.cashValue, locale) };
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        setGiven(false);
        code.reset();
      }}
    >
      <DialogTrigger asChild>
        <Button variant="ghost" size="xl" className="justify-start text-destructive hover:text-destructive">
          <Trash2Icon aria-hidden />
          {t("delete")}
        </Button>
      </DialogTrigger>
      <DialogContent>
        <DialogHeader>
          <DialogTitle>{t("deleteTitle")}</DialogTitle>
          <DialogDescription>{t("deleteText")}</DialogDescription>
        </DialogHeader>
        {state.balance > 0 && (
          <div className="flex items-start gap-3 rounded-lg border border-warning/50 bg-warning-soft p-3 text-warning-strong">
            <Checkbox
              id={id}
              className="mt-0.5"
              checked={given}
              onCheckedChange={(checked) => setGiven(checked === true)}
            />
            <label htmlFor={id} className="text-sm">
              {t("giveUp", left)}
            </label>
          </div>
        )}
        {code.sent ? (
          <CodeStep
            code={code}
            submitLabel={t("deleteConfirm")}
            variant="destructive"
            ready={state.balance === 0 || given}
          />
        ) : (
          <>
            {code.problem && <FieldError>{code.problem}</FieldError>}
            <Button size="xl" disabled={code.busy || (state.balance > 0 && !given)} onClick={code.send}>
              {code.busy && <Spinner aria-hidden />}
              {t("gateSend")}
            </Button>
          </>
        )}
      </DialogContent>
    </Dialog>
  );
}
