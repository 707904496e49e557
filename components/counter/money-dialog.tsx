"use client";

import { ArrowRightIcon, RotateCwIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogContent, DialogTitle } from "@/components/ui/dialog";
import { Input } from "@/components/ui/input";
import { Spinner } from "@/components/ui/spinner";
import { useLoaded } from "@/components/ui/use-loaded";
import { cn } from "@/components/ui/utils";
import { cashValue, formatCount, formatPoints, formatQar } from "@/lib/domain/money";
import { availableOf } from "./check-amount";
import type { HeldPoints } from "./held-points";
import { MODE_LOOK } from "./mode-look";
import { AMOUNT_ID, AmountHero, PlaceChips, startsAmount, TenderChoice } from "./money-fields";
import { NumberPad } from "./number-pad";
import { ProofStep } from "./proof-step";
import { ModeSwitch, SheetHead, SheetNotice } from "./sheet-head";
import { SuccessView } from "./success-view";
import type { CounterCustomer, CounterMovement } from "./types";
import { type MoneyForm, type MoneyFormProps, useMoneyForm } from "./use-money-form";

const QUICK = [10, 50, 100, 200] as const;
// At most nine digits, more than any amount needs.
const POINTS = /^\d{1,9}$/;

function AmountPad({ form }: { form: MoneyForm }) {
  const t = useTranslations("counter");
  const { mode, amount: value, most } = form;
  const look = MODE_LOOK[mode];
  const available = availableOf(form.customer);
  const all = mode === "redeem" && available > 0 ? available : null;
  const amounts = all === null ? QUICK : [...QUICK.slice(0, -1), all];
  return (
    <NumberPad
      value={value}
      corner="00"
      accepts={POINTS}
      disabled={form.locked || form.closed}
      onChange={form.setAmount}
    >
      {amounts.map((amount, row) => (
        <Button
          key={row === 3 ? "last" : amount}
          variant="soft"
          className={cn(
            "col-start-4 h-12 low:h-11 px-0 text-base tabular-nums",
            value === String(amount) ? look.solid : [look.soft, "hover:opacity-80"],
          )}
          style={{ gridRow: row + 1 }}
          aria-pressed={value === String(amount)}
          {...(amount !== all && {
            "aria-label": t(mode === "topup" ? "quickAdd" : "quickRedeem", { points: amount }),
          })}
          disabled={most !== null && amount > most}
          onClick={() => form.setAmount(String(amount))}
        >
          {amount === all ? t("all", { amount: formatCount(amount) }) : formatCount(amount)}
        </Button>
      ))}
    </NumberPad>
  );
}

type MoneyDialogProps = MoneyFormProps & {
  found?: boolean;
  notice?: ReactNode;
  beside?: boolean;
  /** The element that gets the focus after the dialog has closed; by default the one that had it before. */
  onClosed?: () => void;
  onClose: (posted: CounterMovement | null) => void;
};

const sheet =
  "grid mx-0 max-h-none max-w-none translate-y-0 grid-cols-1 gap-0 overflow-hidden rounded-none p-0 sm:p-0 landscape-phone:grid-cols-2 landscape-phone:grid-rows-1 landscape-phone:gap-0 landscape-phone:p-0";

const rows = "grid-rows-[minmax(0,1fr)_auto]";

const proofRows = "grid-rows-[auto_minmax(12rem,1fr)]";

/** Beside the page, which stays usable: below its head on a phone, at the end on wider screens. */
const besideFrame =
  "inset-x-0 top-29 bottom-0 max-md:short:top-19 rounded-t-xl shadow-xl md:inset-x-auto md:end-4 md:top-18 md:bottom-auto md:max-h-[calc(100dvh-5rem)] md:w-112 md:rounded-xl landscape-phone:inset-0 landscape-phone:max-h-none landscape-phone:w-auto landscape-phone:rounded-none";

/** Full screen on a phone, a centred card on wider screens. */
const frame =
  "inset-0 border-0 sm:inset-x-4 sm:top-1/2 sm:bottom-auto sm:mx-auto sm:max-h-[calc(100dvh-1rem)] sm:low:max-h-dvh sm:max-w-md sm:-translate-y-1/2 sm:rounded-xl sm:border landscape-phone:inset-0 landscape-phone:max-h-none landscape-phone:max-w-none landscape-phone:translate-y-0 landscape-phone:rounded-none landscape-phone:border-0";

/** The one sheet of the counter, to add and to redeem. It always shows who, current balance, amount and new balance. */
export function MoneyDialog({ notice, beside = false, found = false, ...props }: MoneyDialogProps) {
  const { onClose, onClosed } = props;
  const { customer, refresh } = useFreshCustomer(props);
  const form = useMoneyForm({ ...props, customer });
  const { mode, posting } = form;
  const { state, proof } = posting;
  const t = useTranslations("counter");
  const step = useRef(state.step);
  useEffect(() => {
    // The focused element was disabled or removed.
    if (state.step === "editing" && step.current !== "editing") document.getElementById(AMOUNT_ID)?.focus();
    step.current = state.step;
  }, [state.step]);
  return (
    <Dialog
      open
      modal={!beside}
      onOpenChange={(open) =>
        !open && state.step !== "posting" && onClose(state.step === "done" ? state.movement : null)
      }
    >
      <DialogContent
        className={cn(sheet, proof ? proofRows : rows, beside ? besideFrame : frame)}
        data-beside={beside || undefined}
        data-mood={mode}
        aria-describedby={undefined}
        onOpenAutoFocus={(event) => {
          const field = document.getElementById(AMOUNT_ID);
          if (!(field instanceof HTMLInputElement) || field.disabled) return;
          event.preventDefault();
          field.focus();
        }}
        onInteractOutside={(event) => event.preventDefault()}
        onKeyDown={(event) => {
          if (state.step === "editing" && startsAmount(event)) document.getElementById(AMOUNT_ID)?.focus();
        }}
        onCloseAutoFocus={(event) => {
          if (!onClosed) return;
          event.preventDefault();
          onClosed();
        }}
      >
        {state.step === "done" ? (
          <SuccessView
            form={form}
            done={state}
            onUndone={() => props.onPosted(state.movement, mode)}
            onDone={() => onClose(state.movement)}
          />
        ) : (
          <>
            <DialogTitle className="sr-only">{t(MODE_LOOK[mode].title)}</DialogTitle>
            <div className="flex min-h-0 flex-col gap-2 overflow-y-auto overscroll-contain p-3 pb-2 sm:p-4 sm:pb-2 sm:low:p-3 sm:low:pb-2 short:gap-1 short:pt-2">
              <SheetHead customer={customer} found={found}>
                <PlaceChips form={form} />
              </SheetHead>
              <ModeSwitch form={form} />
              <SheetNotice form={form}>{notice}</SheetNotice>
              <Step form={form}>{(customer.held ?? 0) > 0 && <Held form={form} onReleased={refresh} />}</Step>
            </div>
            {proof ? (
              <div className="overflow-y-auto overscroll-contain p-3 pt-1 sm:p-4 sm:pt-1 landscape-phone:border-s landscape-phone:p-3 landscape-phone:pt-14">
                <ProofStep form={form} request={proof} />
              </div>
            ) : (
              <Foot form={form} />
            )}
          </>
        )}
      </DialogContent>
    </Dialog>
  );
}

function useFreshCustomer({ customer, setting: { api } }: MoneyDialogProps) {
  const [fresh, setFresh] = useState<CounterCustomer | null>(null);
  const refresh = async () => {
    const answer = await api.view(customer.publicId).catch(() => null);
    if (answer?.kind === "ok") setFresh(answer.data);
  };
  return { customer: fresh ?? customer, refresh };
}

const loadHeld = () => import("./held-points");

/** The reserved points of a card. Most cards have none, so this code is loaded with the first. */
function Held(props: ComponentProps<typeof HeldPoints>) {
  const { part, want } = useLoaded(loadHeld);
  useEffect(want, [want]);
  return part && <part.HeldPoints {...props} />;
}

const FORM_ID = "counter-form";

function Step({ form, children }: { form: MoneyForm; children: ReactNode }) {
  const { mode, posting, customer } = form;
  const t = useTranslations("counter");
  const locale = useLocale();
  const asked = posting.proof !== null;
  const points = (asked ? posting.sent?.points : form.checked.points) ?? 0;
  const isRefused = !asked && form.checked.problem !== null && form.checked.problem !== "required";
  const balance = <BalanceLine form={form} change={isRefused ? null : mode === "topup" ? points : -points} />;
  if (asked) {
    return (
      <>
        <p className="text-center font-bold text-3xl tabular-nums short:text-xl">
          {formatPoints(points, locale)} · <bdi>{formatQar(cashValue(points, customer.rate), locale)}</bdi>
        </p>
        {balance}
      </>
    );
  }
  return (
    <form
      id={FORM_ID}
      noValidate
      className="flex flex-col gap-2 short:gap-1"
      onSubmit={(event) => {
        event.preventDefault();
        form.submit();
      }}
    >
      <AmountHero form={form} />
      {mode === "topup" && form.tenders.length > 1 && <TenderChoice form={form} />}
      {balance}
      {children}
      {form.asksSaleRef && (
        <Input
          aria-label={t("saleRef")}
          placeholder={t("saleRef")}
          autoComplete="off"
          enterKeyHint="done"
          maxLength={64}
          value={form.saleRef}
          disabled={form.locked}
          className="h-10"
          onChange={(event) => form.setSaleRef(event.target.value)}
        />
      )}
    </form>
  );
}

function Foot({ form }: { form: MoneyForm }) {
  const t = useTranslations("counter");
  const locale = useLocale();
  const { mode, posting, checked } = form;
  const { state } = posting;
  const look = MODE_LOOK[mode];
  const bar =
    "relative flex flex-col gap-2 border-t bg-popover p-3 before:pointer-events-none before:absolute before:inset-x-0 before:bottom-full before:h-2 before:bg-[linear-gradient(to_top,var(--popover),transparent)] sm:p-4 sm:low:p-3 short:gap-1 short:pt-1 short:pb-2 landscape-phone:p-3 landscape-phone:justify-end landscape-phone:border-s landscape-phone:border-t-0 landscape-phone:pt-12";
  if (state.step === "unanswered") {
    return (
      <div className={bar}>
        <Button className="h-14 text-lg" autoFocus onClick={posting.retry}>
          <RotateCwIcon className="size-5" aria-hidden />
          {t("tryAgain")}
        </Button>
        <Button variant="outline" className="h-12" onClick={posting.giveUp}>
          {t("givenUp.action")}
        </Button>
      </div>
    );
  }
  if (state.step === "givenUp") {
    return (
      <div className={bar}>
        <Button className="h-14 text-lg" autoFocus onClick={posting.edit}>
          {t("givenUp.startAgain")}
        </Button>
      </div>
    );
  }
  const amounts = checked.points !== null && {
    points: formatPoints(checked.points, locale),
    cash: formatQar(cashValue(checked.points, form.customer.rate), locale),
  };
  return (
    <div className={bar}>
      <AmountPad form={form} />
      <Button
        type="submit"
        form={FORM_ID}
        className={cn("h-14 w-full text-base tabular-nums sm:text-lg short:h-12", look.solid)}
        disabled={!form.ready || state.step === "posting"}
      >
        {state.step === "posting" ? <Spinner /> : <look.Icon className="size-5" aria-hidden />}
        {amounts ? t(look.button, amounts) : t(look.title)}
      </Button>
    </div>
  );
}

function Amount({ label, points, cash }: { label: string; points: string; cash: string }) {
  return (
    <div className="min-w-0 flex-1">
      <p className="truncate text-muted-foreground text-xs leading-4">{label}</p>
      <p className="truncate font-semibold tabular-nums leading-5">{points}</p>
      <p className="truncate text-muted-foreground text-xs tabular-nums leading-4 short:hidden">{cash}</p>
    </div>
  );
}

/** Current balance → new balance: without an amount the current one, and none for an amount that is refused. */
function BalanceLine({ form, change }: { form: MoneyForm; change: number | null }) {
  const t = useTranslations("counter");
  const locale = useLocale();
  const balance = availableOf(form.customer);
  const amountOf = (points: number) => ({
    points: formatPoints(points, locale),
    cash: formatQar(cashValue(points, form.customer.rate), locale),
  });
  const after = change === null ? { points: "–", cash: "" } : amountOf(balance + change);
  return (
    <div className="flex items-center gap-3 rounded-lg bg-muted px-3 py-1.5 short:py-0.5">
      <Amount label={t("currentBalance")} {...amountOf(balance)} />
      <ArrowRightIcon className="size-4 shrink-0 text-muted-foreground rtl:-scale-x-100" aria-hidden />
      <Amount label={t("newBalance")} {...after} />
      <p role="status" className="sr-only">
        {Boolean(change) && `${t("newBalance")}: ${after.points}, ${after.cash}`}
      </p>
    </div>
  );
}
