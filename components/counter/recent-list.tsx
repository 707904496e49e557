"use client";

import { HistoryIcon, RotateCwIcon, SearchXIcon, Undo2Icon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { Money } from "@/components/data/money";
import { BranchName } from "@/components/data/names";
import { RelativeTime } from "@/components/data/relative-time";
import { RefundInList } from "@/components/ledger/refund-in-list";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty";
import { Skeleton } from "@/components/ui/skeleton";
import { cn } from "@/components/ui/utils";
import { formatPoints } from "@/lib/domain/money";
import { clearAnswers, latestRows } from "./answer-cache";
import { byThisClock, clockAhead } from "./counter-api";
import { useFoundSale } from "./find-sale";
import { MODE_LOOK } from "./mode-look";
import type { CounterMode, CounterMovement, CounterSetting, RecentMovement } from "./types";
import { UndoButton } from "./undo-button";

/** Lists that came with a page and were taken: the browser may show that page again, when they are old. */
const taken = new Set<string>();

/** A till's list has what it keeps, too. */
const questionOf = (api: CounterSetting["api"], mode: CounterMode) =>
  `${mode} ${api.followRecent ? "till" : ""}`;

function takeFirst(api: CounterSetting["api"], mode: CounterMode): void {
  const { first } = api;
  if (first?.mode !== mode || taken.has(first.madeAt)) return;
  taken.add(first.madeAt);
  const data = byThisClock(first.rows, clockAhead(first.madeAt));
  latestRows.keep(api.session, questionOf(api, mode), { kind: "ok", data });
}

type RecentState = {
  /** Null where the rows came with the page and are not taken yet. */
  of: CounterMode | null;
  status: "loading" | "failed" | "ready";
  movements: RecentMovement[] | null;
  asOf?: number | null | undefined;
};

/** The latest movements of the chosen mode, at first those that came with the page. They are cached for 30 seconds. */
export function useRecent(api: CounterSetting["api"], firstMode: CounterMode) {
  const [mode, setMode] = useState(firstMode);
  const [state, setState] = useState<RecentState>(() => {
    // Before it is known whether the page's rows are of now, none can be undone.
    const movements = api.first?.mode === mode ? byThisClock(api.first.rows, null) : null;
    return { of: null, status: movements ? "ready" : "loading", movements };
  });

  // Only the newest request sets the state, and none does after the page was left.
  const asked = useRef(0);

  const load = useCallback(
    async (fresh = true) => {
      const mine = ++asked.current;
      takeFirst(api, mode);
      const question = questionOf(api, mode);
      const kept = fresh ? null : latestRows.get(api.session, question);
      if (kept) return setState({ of: mode, status: "ready", movements: kept });
      // Rows of the other mode go, and those of an old page: they would stay where nothing can be loaded.
      setState(({ of, movements }) => ({
        of: mode,
        status: "loading",
        movements: of === mode ? movements : null,
      }));
      const answer = await api.recent(mode);
      if (mine !== asked.current) return;
      if (answer.kind !== "ok") return setState((previous) => ({ ...previous, status: "failed" }));
      const { data: movements, asOf } = answer;
      latestRows.keep(api.session, question, answer);
      setState({ of: mode, status: "ready", movements, asOf });
    },
    [api, mode],
  );

  useEffect(() => {
    void load(false);
    const stop = api.followRecent?.(load);
    return () => {
      asked.current++;
      stop?.();
    };
  }, [api, load]);

  const refresh = () => {
    clearAnswers();
    void load();
  };
  return { ...state, mode, setMode, refresh };
}

type Recent = ReturnType<typeof useRecent>;

/** The latest top-ups or redemptions. Users who may refund can find an older redemption by its bill number. */
export function RecentList({ recent, setting }: { recent: Recent; setting: CounterSetting }) {
  const { mode } = recent;
  const t = useTranslations("counter.recent");
  const sale = useFoundSale(setting);
  const refunds = mode === "redeem" && setting.refundDays > 0;
  const found = refunds ? sale.found : null;
  const rows = found ?? recent.movements;
  const changed = () => {
    recent.refresh();
    sale.again();
  };
  return (
    <section className="grid min-w-0 grid-cols-1 content-start gap-2" aria-busy={recent.status === "loading"}>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="font-semibold">{t(mode)}</h2>
        <Tabs recent={recent} />
      </div>
      {refunds && sale.form}
      <div className="min-w-0 rounded-xl border bg-card shadow-card">
        {rows === null && recent.status === "loading" && (
          <div className="grid gap-3 p-4" aria-hidden>
            {["a", "b", "c", "d"].map((key) => (
              <Skeleton key={key} className="h-10 w-full" />
            ))}
          </div>
        )}
        {rows === null && recent.status === "failed" && (
          <div className="flex flex-col items-center gap-2 p-6 text-center text-muted-foreground text-sm">
            {t("failed")}
            <Button variant="outline" size="xl" onClick={recent.refresh}>
              <RotateCwIcon aria-hidden />
              {t("again")}
            </Button>
          </div>
        )}
        {found?.length === 0 && (
          <EmptyState icon={SearchXIcon} title={t("noSale")} description={t("noSaleHint")} className="py-8" />
        )}
        {!found && recent.asOf !== undefined && setting.recentNote?.(recent.asOf)}
        {!found && recent.asOf === undefined && rows?.length === 0 && (
          <EmptyState icon={HistoryIcon} title={t("none")} description={t("noneHint")} className="py-8" />
        )}
        {rows && rows.length > 0 && (
          <ul className="divide-y">
            {rows.map((movement) => (
              <RecentRow key={movement.id} movement={movement} setting={setting} onChanged={changed} />
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

function Tabs({ recent: { mode, setMode } }: { recent: Recent }) {
  const t = useTranslations("counter.recent.tabs");
  return (
    <div className="flex rounded-lg bg-muted p-1">
      {(["topup", "redeem"] as const).map((one) => {
        const { Icon } = MODE_LOOK[one];
        return (
          <button
            key={one}
            type="button"
            aria-pressed={one === mode}
            className={cn(
              "flex h-10 items-center gap-1.5 rounded-md px-3 font-medium text-sm max-sm:px-2 pointer-coarse:h-11",
              one === mode ? "bg-card shadow-sm ring-1 ring-border ring-inset" : "text-muted-foreground",
            )}
            onClick={() => setMode(one)}
          >
            <Icon className="size-4" aria-hidden />
            {t(one)}
          </button>
        );
      })}
    </div>
  );
}

/** A movement in a list. `passing` (Undo) is before the amount, `tools` after it, so that nothing moves. */
export function EntryRow({
  movement: { customerName, points, pointsValue },
  about,
  passing,
  tools,
}: {
  movement: CounterMovement;
  about: ReactNode;
  passing: ReactNode;
  tools?: ReactNode;
}) {
  const below = tools !== undefined;
  return (
    <li className="@container">
      <div
        className={cn(
          "grid min-h-16 content-center items-center py-2 ps-4 @md:gap-x-3",
          below
            ? "grid-cols-[minmax(0,1fr)_auto_auto] gap-x-0 pe-2 @md:grid-cols-[minmax(0,1fr)_auto_auto_auto]"
            : "grid-cols-[minmax(0,1fr)_auto_auto] gap-x-2 pe-4",
        )}
      >
        <p className="col-1 row-1 font-medium">
          <bdi className="wrap-anywhere block leading-tight">{customerName}</bdi>
        </p>
        <div className="col-1 row-2 min-w-0">{about}</div>
        <div
          className={cn(
            "col-2 flex min-w-12 justify-end @lg:min-w-24",
            below ? "-my-2 row-2 @md:row-[1/3] @md:my-0 @md:me-3" : "-my-1 row-[1/3]",
          )}
        >
          {passing}
        </div>
        <Money
          signed
          layout="stack"
          points={points}
          value={points < 0 ? `-${pointsValue}` : pointsValue}
          // All amounts of a list are as wide, so that Undo has one place.
          className={cn(
            "min-w-26 justify-self-end @max-lg:text-sm @lg:min-w-30",
            below
              ? "col-[2/4] row-1 pe-2 @md:col-3 @md:row-[1/3] @max-md:[&>:last-child]:hidden"
              : "col-3 row-[1/3]",
          )}
        />
        {below && (
          <div className="-my-2 col-3 row-2 flex min-w-12 justify-end @md:col-4 @md:row-[1/3] @md:my-0">
            {tools}
          </div>
        )}
      </div>
    </li>
  );
}

const DAY_MS = 24 * 60 * 60 * 1000;

function RecentRow({
  movement,
  setting,
  onChanged,
}: {
  movement: RecentMovement;
  setting: CounterSetting;
  onChanged: () => void;
}) {
  const t = useTranslations("counter.recent");
  const common = useTranslations("movements");
  const locale = useLocale();
  const { refundDays } = setting;
  const { left, points, saleRef, type, reversed } = movement;
  const refunded = type === "REDEEM" && !reversed && left < Math.abs(points);
  // A narrow list leaves out the branch, in favour of the details that tell this row from the others.
  const marked = reversed || movement.kept;
  const placed = marked ? "@max-lg:hidden" : saleRef ? "@max-md:hidden" : undefined;
  return (
    <EntryRow
      movement={movement}
      about={
        <>
          <p className="flex flex-wrap items-center gap-x-1 text-muted-foreground text-sm">
            <RelativeTime date={movement.createdAt} />
            <span aria-hidden className={placed}>
              ·
            </span>
            <span className={cn("wrap-anywhere", placed)}>
              {movement.branch && <BranchName of={movement.branch} />}
            </span>
            {saleRef && (
              <>
                <span aria-hidden>·</span>
                <bdi className="wrap-anywhere">{saleRef}</bdi>
              </>
            )}
            {reversed && (
              <Badge variant="secondary" className="ms-1 shrink-0">
                <Undo2Icon className="rtl:-scale-x-100" aria-hidden /> {common("reversed")}
              </Badge>
            )}
            {movement.kept && (
              <Badge variant="warning" className="ms-1 shrink-0">
                {t("kept")}
              </Badge>
            )}
          </p>
          {refunded && (
            <p className="text-sm text-warning-strong">
              {left === 0 ? t("refunded") : t("left", { points: formatPoints(left, locale) })}
            </p>
          )}
        </>
      }
      passing={<UndoButton movement={movement} setting={setting} onUndone={onChanged} />}
      tools={
        type === "REDEEM" && refundDays > 0
          ? Date.parse(movement.createdAt) > Date.now() - refundDays * DAY_MS && (
              <RefundInList movement={movement} session={setting.api.session} onRefunded={onChanged} />
            )
          : undefined
      }
    />
  );
}
