"use client";

import { HistoryIcon, RotateCwIcon, Undo2Icon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { useCallback, useEffect, useState } from "react";
import { RelativeTime } from "@/components/data/relative-time";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty";
import { Skeleton } from "@/components/ui/skeleton";
import { formatSignedPoints } from "@/lib/domain/money";
import type { Locale } from "@/lib/domain/roles";
import type { CounterApi, CounterMode, CounterSetting, RecentMovement } from "./types";
import { UndoButton } from "./undo-button";

/** The latest top-ups or redemptions, each with Undo while its window is open. */
export function RecentList({
  mode,
  recent,
  setting,
  onUndone,
  onRetry,
}: {
  mode: CounterMode;
  recent: RecentState;
  setting: CounterSetting;
  onUndone: () => void;
  onRetry: () => void;
}) {
  const t = useTranslations("counter.recent");
  return (
    <section className="grid min-w-0 grid-cols-1 content-start gap-2" aria-busy={recent.busy}>
      <h2 className="font-semibold">{t(mode)}</h2>
      <div className="min-w-0 rounded-xl border bg-card shadow-card">
        {recent.movements === null && recent.busy && <RecentSkeleton />}
        {recent.movements === null && recent.failed && (
          <div className="flex flex-col items-center gap-2 p-6 text-center text-muted-foreground text-sm">
            {t("failed")}
            <Button variant="outline" size="xl" onClick={onRetry}>
              <RotateCwIcon aria-hidden />
              {t("again")}
            </Button>
          </div>
        )}
        {recent.movements?.length === 0 && (
          <EmptyState icon={HistoryIcon} title={t("none")} description={t("noneHint")} className="py-8" />
        )}
        {recent.movements && recent.movements.length > 0 && (
          <ul className="divide-y">
            {recent.movements.map((movement) => (
              <RecentRow key={movement.id} movement={movement} setting={setting} onUndone={onUndone} />
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}

function RecentRow({
  movement,
  setting,
  onUndone,
}: {
  movement: RecentMovement;
  setting: CounterSetting;
  onUndone: () => void;
}) {
  const t = useTranslations("movements");
  const locale = useLocale() as Locale;
  return (
    <li className="flex min-h-16 items-center gap-3 px-4 py-2">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">
          <bdi>{movement.customerName}</bdi>
        </p>
        <p className="flex gap-1 truncate text-muted-foreground text-sm">
          <RelativeTime date={movement.createdAt} />
          <span aria-hidden>·</span>
          <span className="truncate">{movement.branchName}</span>
          {movement.reversed && (
            <Badge variant="secondary" className="ms-1">
              <Undo2Icon className="rtl:-scale-x-100" aria-hidden /> {t("reversed")}
            </Badge>
          )}
        </p>
      </div>
      <bdi className="shrink-0 font-semibold tabular-nums">{formatSignedPoints(movement.points, locale)}</bdi>
      {setting.refundButton?.(movement, onUndone)}
      <UndoButton movement={movement} setting={setting} onUndone={onUndone}>
        <Undo2Icon className="size-5" aria-hidden />
      </UndoButton>
    </li>
  );
}

function RecentSkeleton() {
  return (
    <div className="grid gap-3 p-4" aria-hidden>
      {["a", "b", "c", "d"].map((key) => (
        <Skeleton key={key} className="h-10 w-full" />
      ))}
    </div>
  );
}

const CACHE_MS = 30_000;
const cache = new Map<string, { at: number; movements: RecentMovement[] }>();

/** Clears the cache, after a posting on a page that does not show this list. */
export function clearRecentCache(): void {
  cache.clear();
}

export type RecentState = { busy: boolean; failed: boolean; movements: RecentMovement[] | null };

/** The latest movements of a mode, cached for 30 seconds; `refresh` reloads them after a posting. */
export function useRecent(api: CounterApi, mode: CounterMode) {
  const [state, setState] = useState<RecentState>({ busy: true, failed: false, movements: null });

  const load = useCallback(
    async (fresh: boolean, isMounted: () => boolean) => {
      const cacheKey = `${api.session} ${mode}`;
      const cached = cache.get(cacheKey);
      if (!fresh && cached && Date.now() - cached.at < CACHE_MS) {
        return setState({ busy: false, failed: false, movements: cached.movements });
      }
      setState((previous) => ({ ...previous, busy: true, failed: false }));
      const answer = await api.recent(mode);
      if (!isMounted()) return;
      if (answer.kind !== "ok") {
        return setState((previous) => ({ busy: false, failed: true, movements: previous.movements }));
      }
      cache.set(cacheKey, { at: Date.now(), movements: answer.data });
      setState({ busy: false, failed: false, movements: answer.data });
    },
    [api, mode],
  );

  useEffect(() => {
    let mounted = true;
    void load(false, () => mounted);
    return () => {
      mounted = false;
    };
  }, [load]);

  const refresh = useCallback(() => {
    clearRecentCache();
    void load(true, () => true);
  }, [load]);
  return { ...state, refresh };
}
