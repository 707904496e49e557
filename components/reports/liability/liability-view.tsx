import { CoinsIcon, HistoryIcon, ScaleIcon, ShieldCheckIcon } from "lucide-react";
import Link from "next/link";
import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { DailyChart } from "@/components/data/daily-chart";
import { type Column, DataTable } from "@/components/data/data-table";
import { MerchantName } from "@/components/data/names";
import { Section } from "@/components/data/page-header";
import { StatCard } from "@/components/data/stat-card";
import { TitledCard } from "@/components/data/titled-card";
import { EmptyState } from "@/components/ui/empty";
import { Skeleton } from "@/components/ui/skeleton";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { cn } from "@/components/ui/utils";
import {
  cashValue,
  formatAmount,
  formatCount,
  formatPoints,
  formatQar,
  formatSignedCount,
  formatSignedPoints,
} from "@/lib/domain/money";
import { dayStart, formatDate } from "@/lib/domain/time";
import {
  LINE_OF,
  type Liability,
  type LiabilityDay,
  type MerchantLiability,
  type PocketSums,
  SERIES_DAYS,
  type Worth,
} from "@/lib/reports/model/liability";

const sum = ({ paid, bonus }: Worth): bigint => paid + bonus;
const pointsOf = ({ paid, bonus }: { paid: number; bonus: number }): number => paid + bonus;
const FIGURES = "grid grid-cols-1 gap-3 sm:grid-cols-2 xl:grid-cols-4";

type LiabilityViewProps = {
  report: Liability;
  base: string;
  all: boolean;
  merchantId: string | undefined;
};

/** The points that customers hold at the end of the last day, the movements that led to them, and each merchant's part. */
export function LiabilityView({ report, base, all, merchantId }: LiabilityViewProps) {
  const t = useTranslations("liability");
  const { from, to } = report;
  const hrefOf = (type: string) => {
    const query = new URLSearchParams({ type, from, to, ...(merchantId ? { merchantId } : {}) });
    return `${base}/transactions?${query}`;
  };
  return (
    <div className="flex flex-col gap-5">
      <Figures report={report} />
      <LiabilityReport report={report} hrefOf={hrefOf} />
      <p className="flex items-start gap-2 text-muted-foreground text-sm">
        <ShieldCheckIcon className="mt-0.5 size-4 shrink-0" aria-hidden />
        <span>
          {t("note")}{" "}
          <Link
            href={`${base}/ledger${merchantId ? `?merchantId=${merchantId}` : ""}`}
            className="text-link underline underline-offset-4"
          >
            {t("check")}
          </Link>
        </span>
      </p>
      {all && <Merchants report={report} base={base} />}
    </div>
  );
}

function Figures({ report: { from, to, total } }: { report: Liability }) {
  const t = useTranslations("liability");
  const locale = useLocale();
  const { opening, closing, worth } = total;
  const day = (text: string) => formatDate(dayStart(text), locale);
  const money = (dirhams: bigint, signed = false) => formatQar(cashValue(dirhams, 1), locale, signed);
  const change = pointsOf(closing) - pointsOf(opening);
  return (
    <div className={FIGURES}>
      <div
        data-slot="stat"
        className="flex flex-col gap-1 rounded-xl border bg-card p-4 shadow-card sm:col-span-2"
      >
        <p className="flex items-start justify-between gap-2 font-medium text-muted-foreground text-sm leading-5">
          {t("owed")} <CoinsIcon className="size-4.5 shrink-0" aria-hidden />
        </p>
        <p className="wrap-anywhere font-semibold text-3xl tabular-nums leading-tight tracking-tight">
          <bdi>{money(sum(worth.closing))}</bdi>
        </p>
        <p className="text-muted-foreground text-sm tabular-nums">
          <bdi>{formatPoints(pointsOf(closing), locale)}</bdi> · {t("atEnd", { day: day(to) })}
        </p>
      </div>
      <StatCard
        label={t("opening")}
        icon={HistoryIcon}
        value={<bdi>{money(sum(worth.opening))}</bdi>}
        hint={
          <>
            <bdi>{formatPoints(pointsOf(opening), locale)}</bdi>
            <span className="block">{t("atStart", { day: day(from) })}</span>
          </>
        }
      />
      <StatCard
        label={t("change")}
        icon={ScaleIcon}
        value={<bdi>{money(sum(worth.closing) - sum(worth.opening), true)}</bdi>}
        hint={
          <>
            <bdi>{formatSignedPoints(change, locale)}</bdi>
            {sum(worth.revaluation) !== 0n && (
              <span className="block">
                {t("ofRevaluation", { amount: money(sum(worth.revaluation), true) })}
              </span>
            )}
          </>
        }
      />
    </div>
  );
}

function Merchants({ report: { from, to, merchants }, base }: { report: Liability; base: string }) {
  const t = useTranslations("liability");
  const locale = useLocale();
  const money = (worth: Worth) => <bdi>{formatQar(cashValue(sum(worth), 1), locale)}</bdi>;
  const columns: Column<MerchantLiability>[] = [
    {
      header: t("merchant"),
      primary: true,
      cell: ({ merchant }) => <MerchantName of={merchant} />,
    },
    {
      header: t("opening"),
      align: "end",
      wide: true,
      cell: ({ worth }) => money(worth.opening),
    },
    {
      header: t("change"),
      align: "end",
      phone: "line",
      cell: ({ worth: { opening, closing } }) => (
        <bdi>{formatQar(cashValue(sum(closing) - sum(opening), 1), locale, true)}</bdi>
      ),
    },
    {
      header: t("points"),
      align: "end",
      wide: true,
      cell: ({ closing }) => <bdi>{formatPoints(pointsOf(closing), locale)}</bdi>,
    },
    {
      header: t("closing"),
      align: "end",
      phone: "aside",
      className: "font-medium",
      cell: ({ worth }) => money(worth.closing),
    },
  ];
  return (
    <Section id="by-merchant" title={t("byMerchant")} aside={null}>
      <DataTable
        caption={t("byMerchant")}
        columns={columns}
        rows={merchants.map((one) => ({ ...one, id: one.merchant.id }))}
        rowHref={({ merchant: { id } }) =>
          `${base}/liability?${new URLSearchParams({ from, to, merchantId: id })}`
        }
        empty={<EmptyState title={t("none")} description={t("noneText")} />}
      />
    </Section>
  );
}

/** The points that customers held at the end of each day, oldest first, as a chart or a table. */
export function LiabilityChart({ days }: { days: readonly LiabilityDay[] }) {
  const t = useTranslations("liability");
  const series = {
    paid: { label: t("paid"), color: "var(--chart-1)" },
    bonus: { label: t("bonus"), color: "var(--chart-2)" },
  };
  const title = days.length < SERIES_DAYS ? t("chart") : t("chartBounded", { count: SERIES_DAYS });
  return <DailyChart kind="areas" days={days} series={series} title={title} label={t("chartLabel")} />;
}

/** The placeholder of LiabilityView. */
export function LiabilitySkeleton() {
  const t = useTranslations("common");
  return (
    <div role="status" className="flex flex-col gap-5">
      <span className="sr-only">{t("loading")}</span>
      <div className={FIGURES}>
        <Skeleton className="h-29 rounded-xl sm:col-span-2" />
        <Skeleton className="h-29 rounded-xl" />
        <Skeleton className="h-29 rounded-xl" />
      </div>
      <div className="grid grid-cols-1 items-start gap-5 xl:grid-cols-2">
        <Skeleton className="h-132 rounded-xl" />
        <Skeleton className="h-72 rounded-xl" />
      </div>
    </div>
  );
}

/** Paid, bonus, total. */
type Cells = readonly string[];

const NONE = "–";
const qar = (dirhams: bigint, signed: boolean) => formatAmount(cashValue(dirhams, 1), signed);
const count = (points: number, signed: boolean) => (signed ? formatSignedCount(points) : formatCount(points));

const pointCells = ({ paid, bonus }: PocketSums, signed = false) =>
  [paid, bonus, paid + bonus].map((points) => (signed && points === 0 ? NONE : count(points, signed)));
const worthCells = ({ paid, bonus }: Worth, signed = false) =>
  [paid, bonus, paid + bonus].map((dirhams) => (signed && dirhams === 0n ? NONE : qar(dirhams, signed)));

/** `hrefOf`: the transaction log of one type. */
function LiabilityReport({ report, hrefOf }: { report: Liability; hrefOf: (type: string) => string }) {
  const t = useTranslations("liability");
  const { opening, lines, closing, worth } = report.total;
  return (
    <div className="grid grid-cols-1 items-start gap-5 xl:grid-cols-2">
      <Sheet
        name="qar"
        report={report}
        opening={worthCells(worth.opening)}
        closing={worthCells(worth.closing)}
      >
        {(["moved", "revaluation"] as const).map((name) => (
          <Line key={name} name={name} label={t(name)} cells={worthCells(worth[name], true)} />
        ))}
      </Sheet>
      <Sheet name="points" report={report} opening={pointCells(opening)} closing={pointCells(closing)}>
        {Object.entries(LINE_OF).map(([type, line]) => (
          <Line
            key={line}
            name={line}
            label={
              <Link
                href={hrefOf(type)}
                className="underline decoration-dotted decoration-muted-foreground underline-offset-4 hover:decoration-solid"
              >
                {t(`lines.${line}`)}
              </Link>
            }
            cells={pointCells(lines[line], true)}
          />
        ))}
      </Sheet>
    </div>
  );
}

type SheetProps = {
  name: "qar" | "points";
  report: Liability;
  opening: Cells;
  closing: Cells;
  children: ReactNode;
};

function Sheet({ name, report: { from, to }, opening, closing, children }: SheetProps) {
  const t = useTranslations("liability");
  const title = t(name === "qar" ? "inQar" : "inPoints");
  return (
    <TitledCard
      title={title}
      text={t(name === "qar" ? "inQarText" : "inPointsText")}
      data-report={name}
      className="gap-3 pb-2 xl:**:data-[slot=card-description]:min-h-[2lh]"
      contentClass="px-0"
    >
      <Table
        aria-label={title}
        className={cn(
          "[--cell-x:--spacing(2)] max-sm:text-xs sm:[--cell-x:--spacing(4)]",
          // Amounts with decimals leave a phone no room for the moments, which the first table has.
          name === "qar" && "max-sm:**:data-[slot=moment]:hidden",
        )}
        head={
          <>
            <TableHead className="ps-3 sm:ps-5">
              <span className="sr-only">{t("line")}</span>
            </TableHead>
            <TableHead className="text-end rtl:text-start">{t("paid")}</TableHead>
            <TableHead className="text-end rtl:text-start">{t("bonus")}</TableHead>
            <TableHead className="pe-3 text-end sm:pe-5 rtl:text-start">{t("total")}</TableHead>
          </>
        }
      >
        <Ends label="opening" day={from} cells={opening} />
        {children}
        <Ends label="closing" day={to} cells={closing} />
      </Table>
    </TitledCard>
  );
}

function Ends({ label, day: of, cells }: { label: "opening" | "closing"; day: string; cells: Cells }) {
  const t = useTranslations("liability");
  const day = formatDate(dayStart(of), useLocale());
  return (
    <Line
      name={label}
      label={
        <>
          <span className="block">{t(label)}</span>
          <span data-slot="moment" className="block font-normal text-muted-foreground text-xs">
            {t(label === "opening" ? "atStart" : "atEnd", { day })}
          </span>
        </>
      }
      cells={cells}
      // Accountants close a sum with a double line.
      className={cn(
        "*:font-semibold",
        label === "closing" && "bg-muted/40 *:border-foreground/40 *:border-t-4 *:border-double",
      )}
    />
  );
}

type LineProps = {
  name: string;
  label: ReactNode;
  cells: Cells;
  className?: string;
};

function Line({ name, label, cells, className }: LineProps) {
  return (
    <TableRow data-line={name} className={className}>
      <th scope="row" className="py-2 ps-3 pe-2 text-start sm:ps-5 align-middle font-normal">
        {label}
      </th>
      {cells.map((text, index) => (
        <TableCell
          // biome-ignore lint/suspicious/noArrayIndexKey: the three columns never change places
          key={index}
          className={cn(
            "whitespace-nowrap py-2 text-end tabular-nums rtl:text-start",
            index === 2 && "pe-3 font-medium sm:pe-5",
            text === NONE && "text-muted-foreground",
          )}
        >
          <bdi dir="ltr">{text}</bdi>
        </TableCell>
      ))}
    </TableRow>
  );
}
