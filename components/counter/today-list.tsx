"use client";

import { HistoryIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { BranchName } from "@/components/data/names";
import { RelativeTime } from "@/components/data/relative-time";
import { MovementTypeBadge } from "@/components/ledger/movement-cells";
import { RefundInList } from "@/components/ledger/refund-in-list";
import { MovementReceipt } from "@/components/receipts/movement-receipt";
import { EmptyState } from "@/components/ui/empty";
import { byThisClock, clockAhead } from "./counter-api";
import { type CounterSettingProps, useCounterSetting } from "./panel-counter";
import { EntryRow } from "./recent-list";
import type { RecentMovement } from "./types";
import { UndoButton } from "./undo-button";

/** The answer of `clockAhead` when each page arrived: it is wrong for an older page that the browser shows again. */
const arrived = new Map<string, number>();

/** Answers `clockAhead` for a page that the server rendered at `serverNow`, or null during rendering. */
function useClockAhead(serverNow: string): number | null {
  const [ahead, setAhead] = useState<number | null>(null);
  useEffect(() => {
    const known = arrived.get(serverNow) ?? clockAhead(serverNow);
    arrived.set(serverNow, known);
    setAhead(known);
  }, [serverNow]);
  return ahead;
}

/** The employee's movements of today, newest first. `now`: when the server read them, as is their `undoUntil`. */
export function TodayList({
  rows,
  now,
  ...props
}: CounterSettingProps & { rows: RecentMovement[]; now: string }) {
  const t = useTranslations("today");
  const { refresh } = useRouter();
  const setting = useCounterSetting(props);
  const ahead = useClockAhead(now);
  return (
    <section className="grid min-w-0 grid-cols-1 gap-2">
      <h2 className="font-semibold">{t("list")}</h2>
      <div className="rounded-xl border bg-card shadow-card">
        {rows.length === 0 && (
          <EmptyState icon={HistoryIcon} title={t("none")} description={t("noneHint")} className="py-8" />
        )}
        <ul className="divide-y">
          {byThisClock(rows, ahead).map((row) => (
            <EntryRow
              key={row.id}
              movement={row}
              about={
                <p className="flex flex-wrap items-center gap-x-1.5 text-muted-foreground text-sm">
                  <MovementTypeBadge type={row.type} reversed={row.reversed} />
                  <RelativeTime date={row.createdAt} />
                  <span aria-hidden className="max-sm:hidden">
                    ·
                  </span>
                  <span className="wrap-anywhere max-sm:hidden">
                    {row.branch && <BranchName of={row.branch} />}
                  </span>
                </p>
              }
              passing={
                <>
                  <UndoButton movement={row} setting={setting} onUndone={refresh} />
                  {/* By the server's clock all of today can be refunded, whatever this device's clock says. */}
                  {setting.refundDays > 0 && (
                    <RefundInList movement={row} session={props.user.handle} onRefunded={refresh} />
                  )}
                </>
              }
              tools={<MovementReceipt iconOnly size="icon-xl" movement={row} handle={props.user.handle} />}
            />
          ))}
        </ul>
      </div>
    </section>
  );
}
