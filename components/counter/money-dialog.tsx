"use client";

import { RotateCwIcon, TriangleAlertIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Alert, AlertDescription, AlertTitle } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Dialog, DialogContent, DialogTitle } from "@/components/ui/dialog";
import { Spinner } from "@/components/ui/spinner";
import { formatCount } from "@/lib/domain/money";
import { AmountInput, AmountPad } from "./amount-input";
import { BalanceLine, CustomerBanner } from "./balance-line";
import { PlaceFields } from "./place-fields";
import { ProofStep } from "./proof-step";
import { SaleRefInput, TenderChoice } from "./sale-fields";
import { SuccessView } from "./success-view";
import type { CounterCustomer, CounterMode, CounterSetting } from "./types";
import { type MoneyForm, type MoneyFormProps, useMoneyForm } from "./use-money-form";

export type MoneyDialogProps = MoneyFormProps & {
  /** Content above the form, such as a warning or a link. */
  notice?: ReactNode;
  /** The page beside it stays usable. */
  beside?: boolean;
  /** Where the keyboard goes on once the dialog has closed; without it, to where it was before. */
  onClosed?: () => void;
  /** `posted`: it was closed after a posting. */
  onClose: (posted: boolean) => void;
};

/** Beside the page, which stays usable: below its head on a phone, at the end on wider screens. */
const besideFrame =
  "inset-x-0 top-29 bottom-0 mx-0 max-h-none max-w-none translate-y-0 gap-3 rounded-none rounded-t-xl p-4 shadow-xl md:inset-x-auto md:end-4 md:top-20 md:bottom-auto md:max-h-[calc(100dvh-6rem)] md:w-112 md:rounded-xl md:p-5";

/** Full screen on a phone, a centred card on wider screens. */
const frame =
  "inset-0 mx-0 max-h-none max-w-none translate-y-0 gap-3 rounded-none border-0 p-4 sm:inset-x-4 sm:top-1/2 sm:bottom-auto sm:mx-auto sm:max-h-[calc(100dvh-2rem)] sm:max-w-md sm:-translate-y-1/2 sm:rounded-xl sm:border sm:p-5";

/** The Add Cash and Redeem dialog. It always shows the customer, the current balance, the amount and the new balance. */
export function MoneyDialog({ notice, beside = false, onClose, onClosed, ...props }: MoneyDialogProps) {
  const form = useMoneyForm(props);
  const { mode, customer, setting } = props;
  const { state } = form.posting;
  const proofRequest = state.step === "proof" || state.step === "posting" ? state.proof : null;
  const t = useTranslations("counter");
  return (
    <Dialog
      open
      modal={!beside}
      onOpenChange={(open) => !open && state.step !== "posting" && onClose(state.step === "done")}
    >
      <DialogContent
        className={beside ? besideFrame : frame}
        aria-describedby={undefined}
        onInteractOutside={(event) => event.preventDefault()}
        onCloseAutoFocus={(event) => {
          if (!onClosed) return;
          event.preventDefault();
          onClosed();
        }}
      >
        {state.step === "done" ? (
          <SuccessView
            api={setting.api}
            movement={state.movement}
            answeredAt={state.answeredAt}
            undoReason={setting.needsReason ? t("undoReason") : null}
            onUndone={() => props.onPosted(state.movement)}
            onSignedOut={setting.onSignedOut}
            onDone={() => onClose(true)}
          />
        ) : (
          <>
            <DialogTitle className="pe-8">{t(mode === "topup" ? "addCash" : "redeemCash")}</DialogTitle>
            {notice}
            {form.suspended && (
              <Alert variant="warning">
                <TriangleAlertIcon aria-hidden />
                <AlertDescription>{t("suspended")}</AlertDescription>
              </Alert>
            )}
            <CustomerBanner customer={customer} />
            <BalanceLine
              balance={customer.balance}
              rate={customer.rate}
              change={(mode === "topup" ? 1 : -1) * (form.checked.points ?? 0)}
            />
            {proofRequest ? (
              <ProofStep
                api={setting.api}
                customer={customer}
                points={form.posting.sent?.points ?? form.checked.points ?? 0}
                request={proofRequest}
                posting={state.step === "posting"}
                onProof={form.posting.prove}
                onBack={form.posting.edit}
                onSignedOut={setting.onSignedOut}
              />
            ) : (
              <FormBody form={form} mode={mode} customer={customer} setting={setting} />
            )}
          </>
        )}
      </DialogContent>
    </Dialog>
  );
}

function FormBody({
  form,
  mode,
  customer,
  setting,
}: {
  form: MoneyForm;
  mode: CounterMode;
  customer: CounterCustomer;
  setting: CounterSetting;
}) {
  const { state } = form.posting;
  const locked = state.step !== "editing";
  return (
    <form
      noValidate
      className="grid grid-cols-1 gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        form.submit();
      }}
    >
      <AmountInput
        value={form.amount}
        checked={form.checked}
        customer={customer}
        disabled={locked}
        onChange={form.setAmount}
      />
      {state.step !== "unanswered" && (
        <AmountPad mode={mode} value={form.amount} disabled={locked} onChange={form.setAmount} />
      )}
      {mode === "topup" && (
        <TenderChoice
          tenders={form.tenders}
          value={form.tender}
          disabled={locked}
          onChange={form.setTender}
        />
      )}
      {form.asksSaleRef && <SaleRefInput value={form.saleRef} disabled={locked} onChange={form.setSaleRef} />}
      <PlaceFields
        merchants={setting.merchants && form.merchants}
        branches={form.branches}
        place={form.place}
        disabled={locked}
        onChange={form.setPlace}
      />
      {state.step === "editing" && state.refusal && (
        <Alert variant="destructive">
          <TriangleAlertIcon aria-hidden />
          <AlertDescription>{state.refusal}</AlertDescription>
        </Alert>
      )}
      {state.step === "unanswered" ? (
        <Unanswered mode={mode} onRetry={form.posting.retry} />
      ) : (
        <SubmitButton form={form} mode={mode} />
      )}
    </form>
  );
}

function SubmitButton({ form, mode }: { form: MoneyForm; mode: CounterMode }) {
  const t = useTranslations("counter");
  const posting = form.posting.state.step === "posting";
  const verb = mode === "topup" ? "addAmount" : "redeemAmount";
  return (
    <div className="sticky -bottom-4 -mx-4 -mb-4 bg-popover px-4 pt-2 pb-4 sm:-bottom-5 sm:-mb-5 sm:pb-5">
      <Button type="submit" className="h-14 w-full text-lg" disabled={!form.ready || posting}>
        {posting && <Spinner />}
        {form.checked.points
          ? t(verb, { n: formatCount(form.checked.points) })
          : t(mode === "topup" ? "addCash" : "redeemCash")}
      </Button>
    </div>
  );
}

/** No answer came: only the same request may be sent again, and it is posted once at most. */
function Unanswered({ mode, onRetry }: { mode: CounterMode; onRetry: () => void }) {
  const t = useTranslations("counter");
  return (
    <div className="grid gap-2">
      <Alert variant="warning">
        <TriangleAlertIcon aria-hidden />
        <AlertTitle>{t(mode === "topup" ? "addFailed" : "redeemFailed")}</AlertTitle>
        <AlertDescription>{t("unsure")}</AlertDescription>
      </Alert>
      <Button className="h-14 text-lg" onClick={onRetry}>
        <RotateCwIcon className="size-5" aria-hidden />
        {t("tryAgain")}
      </Button>
    </div>
  );
}
