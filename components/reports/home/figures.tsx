import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Skeleton } from "@/components/ui/skeleton";
import { cashValue, formatQar } from "@/lib/domain/money";
import type { MoneyFigures } from "@/lib/reports/model/owner-home";
import { Change } from "./change";

const FRAME =
  "grid grid-cols-2 overflow-hidden rounded-xl border bg-card shadow-card lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)]";

/** The money of a period: what was taken and how, then what was redeemed, and what is left of both. */
export function Figures({
  title,
  compared,
  now,
  before,
}: {
  /** The period and the place that the figures are of. */
  title: ReactNode;
  /** What they are compared with. */
  compared: ReactNode;
  now: MoneyFigures;
  before: MoneyFigures;
}) {
  const t = useTranslations("home");
  const locale = useLocale();
  const qar = (dirhams: number) => formatQar(cashValue(dirhams, 1), locale);
  const net = now.taken - now.redeemed;
  const netBefore = before.taken - before.redeemed;
  return (
    <section aria-labelledby="home-figures" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="home-figures" className="font-semibold text-lg tabular-nums">
          {title}
        </h2>
        <div className="text-muted-foreground text-sm tabular-nums">{compared}</div>
      </div>
      <dl className={FRAME}>
        <div className="col-span-2 flex flex-col gap-1 p-4 sm:p-5 lg:col-span-1">
          <dt className="font-medium text-muted-foreground text-sm">{t("taken")}</dt>
          <dd className="wrap-anywhere font-semibold text-3xl tabular-nums leading-tight tracking-tight sm:text-4xl">
            <bdi>{qar(now.taken)}</bdi>
          </dd>
          <dd className="text-xs">
            <Change words now={now.taken} before={before.taken} was={qar(before.taken)} />
          </dd>
          <dd className="mt-2">
            <Tenders of={now} />
          </dd>
        </div>
        <Figure
          label={t("redeemed")}
          value={qar(now.redeemed)}
          change={
            <Change words plain now={now.redeemed} before={before.redeemed} was={qar(before.redeemed)} />
          }
        />
        <Figure
          label={t("net")}
          value={qar(net)}
          hint={t("netHint")}
          change={<Change words now={net} before={netBefore} was={qar(netBefore)} />}
        />
      </dl>
    </section>
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
    <div className="@container flex flex-col gap-1 border-t p-4 not-last:border-e sm:p-5 lg:border-s lg:border-t-0 lg:not-last:border-e-0">
      <dt className="font-medium text-muted-foreground text-sm">{label}</dt>
      <dd className="figure">
        <bdi>{value}</bdi>
      </dd>
      <dd className="text-xs">{change}</dd>
      {hint && <dd className="mt-auto pt-1 text-muted-foreground text-xs">{hint}</dd>}
    </div>
  );
}

/** How the money was paid: a bar of its parts, and each with its amount. */
function Tenders({ of: { taken, cash } }: { of: MoneyFigures }) {
  const t = useTranslations("home");
  const locale = useLocale();
  const parts = [
    { key: "cashHead", dirhams: cash, colour: "bg-chart-1" },
    { key: "otherWays", dirhams: taken - cash, colour: "bg-chart-1/35" },
  ] as const;
  // Money given back may leave a part below zero.
  const sum = parts.reduce((all, { dirhams }) => all + Math.max(0, dirhams), 0);
  return (
    <>
      <span className="flex h-2 gap-0.5 overflow-hidden rounded-full bg-muted" aria-hidden>
        {sum > 0 &&
          parts.map(
            ({ key, dirhams, colour }) =>
              dirhams > 0 && (
                <span key={key} className={colour} style={{ inlineSize: `${(dirhams / sum) * 100}%` }} />
              ),
          )}
      </span>
      <span className="mt-2 flex flex-wrap gap-x-5 gap-y-1 text-sm">
        {parts.map(({ key, dirhams, colour }) => (
          <span key={key} className="inline-flex items-center gap-2">
            <span className={`size-2.5 shrink-0 rounded-xs ${colour}`} aria-hidden />
            <span className="text-muted-foreground">{t(key)}</span>
            <bdi className="font-medium tabular-nums">{formatQar(cashValue(dirhams, 1), locale)}</bdi>
          </span>
        ))}
      </span>
    </>
  );
}

/** The placeholder of the figures, the branches and the chart. */
export function HomeSkeleton() {
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-col gap-3">
        <Skeleton className="h-7 w-48" />
        <Skeleton className="h-40 rounded-xl max-lg:h-64" />
      </div>
      <Skeleton className="h-14 rounded-xl" />
      <Skeleton className="h-48 rounded-xl" />
      <Skeleton className="h-88 rounded-xl" />
    </div>
  );
}
