import { ArrowDownRightIcon, ArrowRightIcon, ArrowUpRightIcon, ChevronRightIcon } from "lucide-react";
import Link from "next/link";
import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Money } from "@/components/data/money";
import { Skeleton } from "@/components/ui/skeleton";
import { cn, noteStyle } from "@/components/ui/utils";
import type { NoteGround } from "@/lib/cards/model/card-colours";
import { cashValue, formatQar, percentChange, signedPercent } from "@/lib/domain/money";
import type { MoneyFigures } from "@/lib/reports/model/owner-home";
import type { Outstanding } from "@/lib/reports/model/totals";

const MOST_PERCENT = 300;

type ChangeProps = {
  now: number;
  before: number;
  /** A decrease is not shown as bad. */
  plain?: boolean;
  was: string;
  /** There is room for words: the earlier amount beside the percentage, or that there was none. */
  words?: boolean;
};

/** The difference to the period before in percent, or the earlier amount where a percentage says nothing; a dash for none. */
export function Change({ now, before, plain, was, words }: ChangeProps) {
  const t = useTranslations("home");
  if (before === 0 && words) return <span className="text-muted-foreground">{t("noneBefore")}</span>;
  if (before === 0) {
    return (
      <span className="text-muted-foreground">
        <span aria-hidden>–</span>
        <span className="sr-only">{t("noneBefore")}</span>
      </span>
    );
  }
  // Of an amount below zero, as a net may be, a percentage reads the wrong way round.
  const tells = before > 0 && now >= 0 && Math.abs(percentChange(now, before)) <= MOST_PERCENT;
  const Arrow = now > before ? ArrowUpRightIcon : now < before ? ArrowDownRightIcon : ArrowRightIcon;
  const good = now > before ? "text-success-strong" : now < before ? "text-destructive-strong" : "";
  const earlier = (
    <span className="whitespace-nowrap">{t.rich("was", { amount: () => <bdi>{was}</bdi> })}</span>
  );
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1.5 tabular-nums">
      <span
        className={cn(
          "inline-flex items-center gap-0.5 whitespace-nowrap font-medium",
          plain ? "text-muted-foreground" : good,
        )}
      >
        <Arrow className="size-3.5 shrink-0 rtl:-scale-x-100" aria-hidden />
        {tells && <bdi>{t("change", { percent: signedPercent(now, before) })}</bdi>}
        {!tells && !words && earlier}
      </span>
      {words && <span className="text-muted-foreground">{earlier}</span>}
    </span>
  );
}

type FiguresProps = {
  title: ReactNode;
  compared: ReactNode;
  now: MoneyFigures;
  before: MoneyFigures;
};

/** The money of a period: what was taken and how, then what was redeemed, and what is left of both. */
export function Figures({ title, compared, now, before }: FiguresProps) {
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
      <dl className="grid grid-cols-2 overflow-hidden rounded-xl border bg-card shadow-card lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)]">
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

type FigureProps = {
  label: string;
  value: string;
  hint?: string;
  change: ReactNode;
};

function Figure({ label, value, hint, change }: FigureProps) {
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

type OwedProps = {
  of: Outstanding;
  label: string;
  hint: string;
  href: string;
  note?: NoteGround;
};

/** The customers' balances at this moment, whatever the page's period and branch; a shop's stand on its banknote. */
export function Owed({ of: { points, cashValue }, label, hint, href, note }: OwedProps) {
  return (
    <Link
      href={href}
      prefetch={false}
      className={cn(
        "flex items-center gap-3 rounded-xl px-4 shadow-card sm:px-5",
        note
          ? "owed min-h-20 bg-center bg-cover py-4 text-white"
          : "min-h-14 border bg-card py-2.5 hover:bg-muted/50",
      )}
      style={note && noteStyle(note)}
    >
      <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
        <span className="font-medium text-sm">{label}</span>
        <span className={cn("text-xs", !note && "text-muted-foreground")}>{hint}</span>
      </span>
      <Money points={points} value={cashValue} className="justify-end max-sm:flex-col max-sm:items-end" />
      <ChevronRightIcon
        className={cn("size-4 shrink-0 rtl:-scale-x-100", !note && "text-muted-foreground")}
        aria-hidden
      />
    </Link>
  );
}
