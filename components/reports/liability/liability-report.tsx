import Link from "next/link";
import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "@/components/ui/card";
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from "@/components/ui/table";
import { cn } from "@/components/ui/utils";
import { cashValue, formatAmount, formatCount, formatSignedCount } from "@/lib/domain/money";
import type { Locale } from "@/lib/domain/roles";
import { dayStart, formatDate } from "@/lib/domain/time";
import {
  LIABILITY_LINES,
  type LiabilityFigures,
  type PocketSums,
  TYPE_OF,
  type Worth,
} from "@/lib/reports/model/liability";

type Days = { from: string; to: string };
type Cells = [paid: string, bonus: string, total: string];

const NONE = "–";
const qar = (dirhams: bigint, signed: boolean) => formatAmount(cashValue(dirhams, 1), signed);
const count = (points: number, signed: boolean) => (signed ? formatSignedCount(points) : formatCount(points));

function pointCells({ paid, bonus }: PocketSums, signed = false): Cells {
  const text = (points: number) => (signed && points === 0 ? NONE : count(points, signed));
  return [text(paid), text(bonus), text(paid + bonus)];
}
function worthCells({ paid, bonus }: Worth, signed = false): Cells {
  const text = (dirhams: bigint) => (signed && dirhams === 0n ? NONE : qar(dirhams, signed));
  return [text(paid), text(bonus), text(paid + bonus)];
}

/** The report's two tables: the value in QAR by pocket, and the points. Each starts with opening and ends with closing. */
export function LiabilityReport({
  figures,
  days,
  hrefOf,
}: {
  figures: LiabilityFigures;
  days: Days;
  /** The transaction log of one type within these days. */
  hrefOf: (type: string) => string;
}) {
  const t = useTranslations("liability");
  const { opening, lines, closing, worth } = figures;
  return (
    <div className="grid grid-cols-1 items-start gap-5 xl:grid-cols-2">
      <Sheet title={t("inQar")} text={t("inQarText")} name="qar">
        <Ends label="opening" days={days} cells={worthCells(worth.opening)} />
        <Line name="moved" label={t("moved")} cells={worthCells(worth.moved, true)} />
        <Line name="revaluation" label={t("revaluation")} cells={worthCells(worth.revaluation, true)} />
        <Ends label="closing" days={days} cells={worthCells(worth.closing)} />
      </Sheet>
      <Sheet title={t("inPoints")} text={t("inPointsText")} name="points">
        <Ends label="opening" days={days} cells={pointCells(opening)} />
        {LIABILITY_LINES.map((line) => (
          <Line
            key={line}
            name={line}
            label={
              <Link
                href={hrefOf(TYPE_OF[line])}
                className="underline decoration-dotted decoration-muted-foreground underline-offset-4 hover:decoration-solid"
              >
                {t(`lines.${line}`)}
              </Link>
            }
            cells={pointCells(lines[line], true)}
          />
        ))}
        <Ends label="closing" days={days} cells={pointCells(closing)} />
      </Sheet>
    </div>
  );
}

function Sheet({
  title,
  text,
  name,
  children,
}: {
  title: string;
  text: string;
  name: string;
  children: ReactNode;
}) {
  const t = useTranslations("liability");
  return (
    <Card data-report={name} className="gap-3 pb-2">
      <CardHeader>
        <CardTitle>{title}</CardTitle>
        <CardDescription className="xl:min-h-[2lh]">{text}</CardDescription>
      </CardHeader>
      <CardContent className="px-0">
        <Table
          aria-label={title}
          className={cn(
            "[--cell-x:--spacing(2)] max-sm:text-xs sm:[--cell-x:--spacing(4)]",
            // Amounts with decimals leave a phone no room for the moments, which the first table has.
            name === "qar" && "max-sm:**:data-[slot=moment]:hidden",
          )}
        >
          <TableHeader>
            <TableRow>
              <TableHead className="ps-3 sm:ps-5">
                <span className="sr-only">{t("line")}</span>
              </TableHead>
              <TableHead className="text-end rtl:text-start">{t("paid")}</TableHead>
              <TableHead className="text-end rtl:text-start">{t("bonus")}</TableHead>
              <TableHead className="pe-3 text-end sm:pe-5 rtl:text-start">{t("total")}</TableHead>
            </TableRow>
          </TableHeader>
          <TableBody>{children}</TableBody>
        </Table>
      </CardContent>
    </Card>
  );
}

/** The first or the last row, with the time that it applies to. */
function Ends({ label, days, cells }: { label: "opening" | "closing"; days: Days; cells: Cells }) {
  const t = useTranslations("liability");
  const locale = useLocale() as Locale;
  const day = formatDate(dayStart(label === "opening" ? days.from : days.to), locale);
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

function Line({
  name,
  label,
  cells,
  className,
}: {
  name: string;
  label: ReactNode;
  cells: Cells;
  className?: string;
}) {
  const [paid, bonus, total] = cells;
  return (
    <TableRow data-line={name} className={className}>
      <th scope="row" className="py-2 ps-3 pe-2 text-start sm:ps-5 align-middle font-normal">
        {label}
      </th>
      {[paid, bonus, total].map((text, index) => (
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
