"use client";

import { CheckIcon, Undo2Icon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { DialogTitle } from "@/components/ui/dialog";
import { Spinner } from "@/components/ui/spinner";
import { minutesAndSeconds, useCountdown } from "@/components/ui/use-countdown";
import { formatCount, formatPoints, formatQar } from "@/lib/domain/money";
import type { Locale } from "@/lib/domain/roles";
import type { CounterApi, CounterMovement } from "./types";

/** How it was paid, the bill, and of which pockets a redeem was drawn. */
function SaleLine({ movement: { type, paid, bonus, tender, saleRef } }: { movement: CounterMovement }) {
  const t = useTranslations("movements");
  const locale = useLocale() as Locale;
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
    <p className="text-muted-foreground text-sm" data-slot="sale">
      {parts.join(" · ")}
    </p>
  );
}

/** What was done, readable from a metre away, with Undo while the undo window is open. */
export function SuccessView({
  api,
  movement,
  answeredAt,
  undoReason,
  onUndone,
  onSignedOut,
  onDone,
}: {
  api: CounterApi;
  movement: CounterMovement;
  /** When the answer came, by this device's clock in milliseconds. Counted from it, a wrong clock does no harm. */
  answeredAt: number;
  undoReason: string | null;
  onUndone: () => void;
  onSignedOut: (ended: boolean) => void;
  onDone: () => void;
}) {
  const t = useTranslations("counter");
  const locale = useLocale() as Locale;
  const [undone, setUndone] = useState<CounterMovement | null>(null);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const undoMilliseconds = movement.undoUntil
    ? Date.parse(movement.undoUntil) - Date.parse(movement.createdAt)
    : null;
  const seconds = useCountdown(undoMilliseconds === null ? null : answeredAt + undoMilliseconds) ?? 0;
  const undo = async () => {
    if (busy) return;
    setBusy(true);
    setRefusal(null);
    const answer = await api.undo(movement.id, undoReason);
    setBusy(false);
    if (answer.kind === "signedOut") return onSignedOut(answer.ended);
    if (answer.kind !== "ok") return setRefusal(answer.kind === "lost" ? t("undoLost") : answer.message);
    setUndone(answer.data);
    onUndone();
  };
  const shown = undone ?? movement;
  const count = formatCount(Math.abs(movement.points));
  const added = movement.points > 0;
  const message = undone ? t("undone", { n: count }) : t(added ? "addedCash" : "redeemedCash", { n: count });
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-3 py-4 text-center" role="status">
      <span
        className={`mt-auto inline-flex size-20 items-center justify-center rounded-full ${undone ? "bg-muted text-foreground" : "bg-success text-success-foreground"}`}
      >
        {undone ? (
          <Undo2Icon className="size-10" aria-hidden />
        ) : (
          <CheckIcon className="size-11" strokeWidth={3} aria-hidden />
        )}
      </span>
      <p className="font-bold text-6xl tabular-nums tracking-tight" dir="ltr">
        {`${shown.points > 0 ? "+" : "−"}${count}`}
      </p>
      <DialogTitle className="text-balance text-base">{message}</DialogTitle>
      <p className="wrap-anywhere font-medium text-muted-foreground" dir="auto">
        {movement.customerName}
      </p>
      {!undone && <SaleLine movement={movement} />}
      <dl className="w-full rounded-lg bg-muted px-4 py-3">
        <dt className="text-muted-foreground text-sm">{t("newBalance")}</dt>
        <dd className="font-bold text-3xl tabular-nums">{formatPoints(shown.balance, locale)}</dd>
        <dd className="text-muted-foreground tabular-nums">{formatQar(shown.cashValue, locale)}</dd>
      </dl>
      {refusal && (
        <p role="alert" className="text-destructive-strong text-sm">
          {refusal}
        </p>
      )}
      <div className="mt-auto grid w-full gap-2 pt-2">
        {!undone && seconds > 0 && (
          <Button variant="outline" className="h-14 w-full text-base" disabled={busy} onClick={undo}>
            {busy ? <Spinner /> : <Undo2Icon className="size-5" aria-hidden />}
            {t("undo")}
            <span className="text-muted-foreground tabular-nums" dir="ltr">
              {minutesAndSeconds(seconds)}
            </span>
          </Button>
        )}
        <Button className="h-14 w-full text-lg" autoFocus onClick={onDone}>
          {t("done")}
        </Button>
      </div>
    </div>
  );
}
