import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Skeleton } from "@/components/ui/skeleton";
import { cashValue, formatPoints, formatQar } from "@/lib/domain/money";
import type { OwnerHome } from "@/lib/domain/owner-home";
import type { Locale } from "@/lib/domain/roles";
import { Change } from "./change";

const FRAME = "grid grid-cols-1 gap-3 xl:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]";

/** The amount that the shop owes its customers, and beside it the money of the period. */
export function Figures({ home: { owed, now, before } }: { home: OwnerHome }) {
  const t = useTranslations("home");
  const locale = useLocale() as Locale;
  const qar = (dirhams: number, plus = false) => formatQar(cashValue(dirhams, 1), locale, plus);
  const net = now.taken - now.redeemed;
  const netBefore = before.taken - before.redeemed;
  return (
    <div className={FRAME}>
      <section className="flex flex-col justify-center gap-1 rounded-xl bg-primary p-5 text-primary-foreground shadow-card">
        <h2 className="font-medium text-sm">{t("owe")}</h2>
        <p className="wrap-anywhere font-semibold text-3xl tabular-nums leading-tight tracking-tight sm:text-4xl">
          <bdi>{formatQar(owed.cashValue, locale)}</bdi>
        </p>
        <p className="text-sm tabular-nums">
          <bdi>{formatPoints(owed.points, locale)}</bdi>
        </p>
      </section>
      <dl className="grid grid-cols-1 overflow-hidden rounded-xl border bg-card shadow-card max-sm:divide-y sm:grid-cols-3 sm:divide-x">
        <Figure
          label={t("taken")}
          value={qar(now.taken)}
          hint={t("cash", { amount: qar(now.cash) })}
          change={<Change words now={now.taken} before={before.taken} />}
        />
        <Figure
          label={t("redeemed")}
          value={qar(now.redeemed)}
          change={<Change words plain now={now.redeemed} before={before.redeemed} />}
        />
        <Figure
          label={t("net")}
          value={qar(net)}
          hint={t("netHint")}
          change={
            <Change
              words
              now={net}
              before={netBefore}
              amount={before.taken || before.redeemed ? qar(net - netBefore, true) : undefined}
            />
          }
        />
      </dl>
    </div>
  );
}

function Figure({
  label,
  value,
  hint,
  change,
}: {
  label: string;
  value: string;
  hint?: string;
  change: ReactNode;
}) {
  return (
    <div className="@container flex flex-col gap-0.5 p-4">
      <dt className="font-medium text-muted-foreground text-sm">{label}</dt>
      <dd className="figure">
        <bdi>{value}</bdi>
      </dd>
      <dd className="text-xs">{change}</dd>
      {hint && <dd className="text-muted-foreground text-xs tabular-nums">{hint}</dd>}
    </div>
  );
}

/** The placeholder of the figures, the branches and the chart. */
export function HomeSkeleton() {
  return (
    <div className="flex flex-col gap-5">
      <div className={FRAME}>
        <Skeleton className="h-32 rounded-xl" />
        <Skeleton className="h-32 rounded-xl max-sm:h-72" />
      </div>
      <Skeleton className="h-48 rounded-xl" />
      <Skeleton className="h-88 rounded-xl" />
    </div>
  );
}
