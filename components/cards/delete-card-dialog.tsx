"use client";

import { useLocale, useTranslations } from "next-intl";
import { type ReactNode, useId, useState } from "react";
import { eraseCustomerAction, sendCardCodeAction } from "@/app/customer/actions";
import { CodeStep } from "@/components/codes/code-step";
import { useMailedCode } from "@/components/codes/use-mailed-code";
import { FieldError } from "@/components/forms/field-error";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { DialogHeader, OpenedDialog } from "@/components/ui/dialog";
import { useNotify } from "@/components/ui/notify";
import { Spinner } from "@/components/ui/spinner";
import { formatPoints, formatQar } from "@/lib/domain/money";
import { clearPendingSignUp } from "./stored-data";
import type { CardViewState } from "./types";

type Props = { customerId: string; state: CardViewState; onDeleted: () => void };

/** Deletes the card and the holder's data with a mailed code. Open at first; `children` is its button. */
export function DeleteCardDialog({ children, ...props }: Props & { children: ReactNode }) {
  return <OpenedDialog button={children}>{(close) => <Steps {...props} close={close} />}</OpenedDialog>;
}

function Steps({ customerId, state, onDeleted, close }: Props & { close: () => void }) {
  const t = useTranslations("card");
  const api = useTranslations("api");
  const notify = useNotify();
  const locale = useLocale();
  const id = useId();
  const [givesUp, setGivesUp] = useState(false);
  const code = useMailedCode({
    send: () => sendCardCodeAction({ customerId, purpose: "erase" }),
    onSent: () => notify.success(api("otpSent")),
    enter: (code) => eraseCustomerAction({ customerId, code, giveUp: givesUp ? state.balance : undefined }),
    onDone: () => {
      clearPendingSignUp();
      close();
      onDeleted();
    },
    autoSubmit: false,
  });
  return (
    <>
      <DialogHeader title={t("deleteTitle")} text={t("deleteText")} />
      {state.balance > 0 && (
        <div className="flex items-start gap-3 rounded-lg border border-warning/50 bg-warning-soft p-3 text-warning-strong">
          <Checkbox
            id={id}
            className="mt-0.5"
            checked={givesUp}
            onCheckedChange={(next) => setGivesUp(next === true)}
          />
          <label htmlFor={id} className="-my-3 grow py-3 text-sm">
            {t("giveUp", {
              points: formatPoints(state.balance, locale),
              cash: formatQar(state.cashValue, locale),
            })}
          </label>
        </div>
      )}
      {code.sent ? (
        <CodeStep
          code={code}
          submitLabel={t("deleteConfirm")}
          variant="destructive"
          ready={state.balance === 0 || givesUp}
        />
      ) : (
        <>
          {code.problem && <FieldError>{code.problem}</FieldError>}
          <Button size="xl" disabled={code.busy || (state.balance > 0 && !givesUp)} onClick={code.send}>
            {code.busy && <Spinner aria-hidden />}
            {t("gateSend")}
          </Button>
        </>
      )}
    </>
  );
}
