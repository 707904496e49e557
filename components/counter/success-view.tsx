"use client";

import { CheckIcon, HourglassIcon, TriangleAlertIcon, Undo2Icon, UserRoundSearchIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { MovementReceipt } from "@/components/receipts/movement-receipt";
import { Button } from "@/components/ui/button";
import { DialogTitle } from "@/components/ui/dialog";
import { Spinner } from "@/components/ui/spinner";
import { minutesAndSeconds, useCountdown } from "@/components/ui/use-countdown";
import { cn, noteStyle } from "@/components/ui/utils";
import { cashValue, formatCount, formatPoints, formatQar, pointsUnit } from "@/lib/domain/money";
import { giveBackText, MODE_LOOK } from "./mode-look";
import type { PostingState } from "./posting-state";
import type { CounterMovement, CounterSetting, KeptOutcome } from "./types";
import type { MoneyForm } from "./use-money-form";

function SaleLine({ movement: { type, paid, bonus, tender, saleRef } }: { movement: CounterMovement }) {
  const t = useTranslations("movements");
  const locale = useLocale();
  const drawn = type === "REDEEM" && bonus !== 0;
  const amounts = {
    paid: formatPoints(Math.abs(paid), locale),
    bonus: formatPoints(Math.abs(bonus), locale),
  };
  const parts = [
    drawn && t("pockets", amounts),
    tender && t(`tenders.${tender}`),
    saleRef && `${t("saleRef")} ${saleRef}`,
  ].filter(Boolean);
  if (parts.length === 0) return null;
  return (
    <p className="wrap-anywhere text-sm opacity-85" data-slot="sale">
      {parts.join(" · ")}
    </p>
  );
}

/** The change for the notes that a customer is likely to give. `cash` is the amount in QAR, as cashValue writes it. */
function ChangeDue({ cash }: { cash: string }) {
  const t = useTranslations("counter");
  const locale = useLocale();
  const rows = changeFor(Number(cash.replace(".", "")));
  if (rows.length === 0) return null;
  return (
    <ul
      className="flex max-w-full flex-wrap justify-center gap-1.5 landscape-phone:hidden"
      data-slot="change"
    >
      {rows.map(({ given, change }) => (
        <li key={given} className="rounded-lg bg-background/70 px-2.5 py-1 text-foreground tabular-nums">
          <span className="block text-muted-foreground text-xs leading-4">
            {t("given", { amount: formatCount(given) })}
          </span>
          <span className="block font-semibold text-sm leading-5">
            {t("giveChange", { cash: formatQar(cashValue(change, 1), locale) })}
          </span>
        </li>
      ))}
    </ul>
  );
}

// Notes in QAR that customers round up to.
const NOTES = [10, 50, 100, 200, 500] as const;
// More would not fit in two lines of a phone.
const MOST = 4;

/** The amounts in QAR that a customer is likely to give for `dirhams`, smallest first, and the change in dirhams. */
export function changeFor(dirhams: number): { given: number; change: number }[] {
  const likely = NOTES.map((note) => Math.ceil(dirhams / (note * 100)) * note);
  return [...new Set(likely)]
    .map((given) => ({ given, change: given * 100 - dirhams }))
    .filter(({ change }) => change > 0)
    .slice(0, MOST);
}

/** Answers the outcome of a top-up that the till keeps. Null while it waits, and if it was posted directly. */
function useKeptOutcome({ api }: CounterSetting, movement: CounterMovement): KeptOutcome | null {
  const [outcome, setOutcome] = useState<KeptOutcome | null>(null);
  useEffect(() => (movement.kept ? api.followKept?.(movement, setOutcome) : undefined), [api, movement]);
  return outcome;
}

/** The looks of the screen, by the state of the movement. A waiting movement never looks like a posted one. */
const LOOK = {
  topup: { ...MODE_LOOK.topup, Icon: CheckIcon, icon: "size-8 stroke-3" },
  redeem: { ...MODE_LOOK.redeem, Icon: CheckIcon, icon: "size-8 stroke-3" },
  undone: {
    Icon: Undo2Icon,
    icon: "size-7 rtl:-scale-x-100",
    soft: "bg-muted text-foreground",
    solid: "bg-background",
  },
  waits: {
    Icon: HourglassIcon,
    icon: "size-7",
    soft: "bg-primary-soft text-primary-strong outline-2 outline-primary/50 outline-dashed -outline-offset-8",
    solid: "bg-background text-primary-strong",
  },
  missed: {
    Icon: TriangleAlertIcon,
    icon: "size-7",
    soft: "bg-destructive-soft text-destructive-strong",
    solid: "bg-destructive text-destructive-foreground",
  },
} as const;

function useUndo(setting: CounterSetting, movement: CounterMovement, onUndone: () => void) {
  const t = useTranslations("counter");
  const [undone, setUndone] = useState<CounterMovement | null>(null);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const undo = async () => {
    if (busy) return;
    setBusy(true);
    setRefusal(null);
    const answer = await setting.api.undo(movement.id, setting.needsReason ? t("undoReason") : null);
    setBusy(false);
    if (answer.kind === "signedOut") return setting.onSignedOut(answer.ended);
    if (answer.kind !== "ok") return setRefusal(answer.kind === "lost" ? t("undoLost") : answer.message);
    setUndone(answer.data);
    onUndone();
  };
  return { undone, busy, refusal, undo };
}

/** The posted movement fills the sheet, readable from a metre away. It has Undo while its window is open. */
export function SuccessView({
  form: { setting, customer },
  done: { movement, answeredAt },
  onUndone,
  onDone,
}: {
  form: MoneyForm;
  done: Extract<PostingState, { step: "done" }>;
  onUndone: () => void;
  onDone: () => void;
}) {
  const t = useTranslations("counter");
  const offline = useTranslations("offlineCounter");
  const locale = useLocale();
  const { undone, busy, refusal, undo } = useUndo(setting, movement, onUndone);
  // The window is counted from the answer, so a wrong device clock does no harm.
  const undoUntil = movement.undoUntil
    ? answeredAt + Date.parse(movement.undoUntil) - Date.parse(movement.createdAt)
    : null;
  const seconds = useCountdown(undoUntil) ?? 0;
  const outcome = useKeptOutcome(setting, movement);
  const waits = movement.kept === true && outcome === null;
  const missed = outcome !== null && outcome !== "posted";
  const shown = undone ?? movement;
  const { held = 0, rate } = customer;
  const points = Math.abs(movement.points);
  const n = formatCount(points);
  const mode = movement.points > 0 ? "topup" : "redeem";
  const look = LOOK[undone ? "undone" : waits ? "waits" : missed ? "missed" : mode];
  // Only money that was taken or is kept is printed on the shop's note.
  const note = undone || missed ? undefined : setting.note;
  const undoneText = mode === "topup" ? giveBackText(movement) : "chargeAgain";
  // The amount and its currency stay on one line.
  const cash = formatQar(movement.pointsValue, locale).replace(" ", "\u00a0");
  const title = () => {
    if (undone) return t("undone", { n: points });
    if (waits) return offline("saved");
    if (missed) return offline(outcome === "inbox" ? "missedInbox" : "missedRefused");
    return t(mode === "topup" ? "addedCash" : "redeemedCash", { n: points });
  };
  return (
    <div
      className={cn(
        "row-span-full flex min-h-0 flex-col gap-3 overflow-y-auto p-4 text-center sm:min-h-144 landscape-phone:col-span-full landscape-phone:min-h-0 landscape-phone:grid landscape-phone:grid-cols-2 landscape-phone:items-center",
        look.soft,
      )}
    >
      {/* Without the countdown below, which a screen reader would say each second. */}
      <div role="status" className="my-auto flex min-w-0 flex-col items-center gap-1.5">
        <div
          className={cn(
            "flex max-w-full flex-col items-center gap-1.5 font-bold tabular-nums",
            note && "w-full rounded-2xl bg-center bg-cover p-4 text-white",
          )}
          style={note && noteStyle(note)}
        >
          <span className={cn("inline-flex size-14 items-center justify-center rounded-full", look.solid)}>
            <look.Icon className={look.icon} aria-hidden />
          </span>
          <p className="flex max-w-full flex-wrap items-baseline justify-center gap-x-2">
            <bdi
              dir="ltr"
              className={cn("tracking-tight", n.length > 6 ? "text-[3.25rem]" : "text-[4.5rem]")}
            >
              {`${shown.points > 0 ? "+" : "−"}${n}`}
            </bdi>
            <span className="text-2xl">{pointsUnit(points, locale)}</span>
          </p>
          <p className="text-balance text-3xl leading-tight" data-slot="money">
            {missed ? <bdi>{cash}</bdi> : t(undone ? undoneText : MODE_LOOK[mode].cash, { cash })}
          </p>
        </div>
        <DialogTitle className="text-balance text-base">{title()}</DialogTitle>
        {waits && <p className="text-sm opacity-85">{offline("savedText")}</p>}
        <p className="wrap-anywhere font-medium">
          <bdi className="line-clamp-2">{movement.customerName}</bdi>
        </p>
        {!undone && <SaleLine movement={movement} />}
        {!undone && !missed && mode === "topup" && movement.tender === "cash" && (
          <ChangeDue cash={movement.pointsValue} />
        )}
      </div>
      <div className="grid gap-2">
        <dl className="flex flex-wrap items-baseline justify-between gap-x-3 rounded-lg bg-background/70 px-4 py-2 text-foreground">
          <dt className="text-muted-foreground text-sm">
            {waits || missed ? offline("expected") : t("newBalance")}
          </dt>
          <dd className="font-bold text-xl tabular-nums">
            {formatPoints(shown.balance - held, locale)}
            <span className="ms-2 font-normal text-muted-foreground text-sm">
              {formatQar(held > 0 ? cashValue(shown.balance - held, rate) : shown.cashValue, locale)}
            </span>
          </dd>
        </dl>
        {refusal && (
          <p role="alert" className="text-destructive-strong text-sm">
            {refusal}
          </p>
        )}
        <div className="flex gap-2 *:min-w-0 *:flex-1 empty:hidden">
          {/* A top-up that is only kept on the till has no number for a receipt yet. */}
          {!shown.kept && (
            <MovementReceipt movement={shown} handle={setting.api.session} className="h-14 px-2 text-base" />
          )}
          {!undone && seconds > 0 && (
            <Button variant="outline" className="h-14 px-2 text-base" disabled={busy} onClick={undo}>
              {busy ? <Spinner /> : <Undo2Icon className="size-5 rtl:-scale-x-100" aria-hidden />}
              {t("undo")}
              <span className="text-muted-foreground tabular-nums" dir="ltr">
                {minutesAndSeconds(seconds)}
              </span>
            </Button>
          )}
        </div>
        <Button
          // A new button after an undo, because the undo removes the focused element.
          key={undone ? "undone" : "posted"}
          className="h-14 w-full text-lg"
          autoFocus
          // Ignores the second press of a double press on the button that was here before.
          onKeyDown={(event) => event.repeat && event.preventDefault()}
          onClick={(event) => event.detail < 2 && onDone()}
        >
          <UserRoundSearchIcon className="size-5" aria-hidden />
          {t("next")}
        </Button>
      </div>
    </div>
  );
}
