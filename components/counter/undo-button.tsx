"use client";

import { Undo2Icon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { ConfirmButton } from "@/components/data/confirm-button";
import { useNotify } from "@/components/ui/notify";
import { useCountdown } from "@/components/ui/use-countdown";
import { formatPoints, formatQar } from "@/lib/domain/money";
import { giveBackText } from "./mode-look";
import { toActionResult } from "./posting-state";
import type { CounterMovement, CounterSetting } from "./types";

/** Undo for one movement of a list, with a confirmation, until `undoUntil` by this device's clock (byThisClock). */
export function UndoButton({
  movement,
  setting,
  onUndone,
}: {
  movement: CounterMovement;
  setting: CounterSetting;
  onUndone: () => void;
}) {
  const t = useTranslations("counter");
  const locale = useLocale();
  const secondsLeft = useCountdown(movement.undoUntil === null ? null : Date.parse(movement.undoUntil));
  const notify = useNotify();
  if (!secondsLeft) return null;
  const cash = formatQar(movement.pointsValue, locale);
  const giveBack = movement.type === "TOP_UP" ? t(giveBackText(movement), { cash }) : null;
  return (
    <ConfirmButton
      variant="ghost"
      size="xl"
      className="px-3"
      aria-label={t("undoNamed", { name: movement.customerName })}
      title={t("undoTitle")}
      description={
        <>
          {t("undoQuestion", {
            amount: formatPoints(Math.abs(movement.points), locale),
            name: movement.customerName,
          })}
          {giveBack && <strong className="mt-2 block text-foreground">{giveBack}</strong>}
        </>
      }
      confirmLabel={t("undo")}
      run={async () => {
        const answer = await setting.api.undo(movement.id, setting.needsReason ? t("undoReason") : null);
        return toActionResult(answer, t("undoLost"), setting.onSignedOut);
      }}
      onDone={() => {
        if (giveBack) notify.success(giveBack);
        onUndone();
      }}
    >
      <Undo2Icon className="size-5 rtl:-scale-x-100" aria-hidden />
      <span className="@max-lg:hidden">{t("undo")}</span>
    </ConfirmButton>
  );
}
