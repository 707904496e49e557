import { BanknoteIcon, CircleCheckIcon, ClockIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { BranchName } from "@/components/data/branch-name";
import { type Column, DataTable } from "@/components/data/data-table";
import { NoneFound } from "@/components/data/none-found";
import { Badge } from "@/components/ui/badge";
import { EmptyState } from "@/components/ui/empty";
import { cashValue, formatQar } from "@/lib/domain/money";
import { formatDateTime } from "@/lib/domain/time";
import type { Shift } from "@/lib/tills/names";

/** Dirhams as QAR; a difference with its sign. */
export function Dirhams({ amount, signed = false }: { amount: number; signed?: boolean }) {
  const locale = useLocale();
  return <bdi className="tabular-nums">{formatQar(cashValue(amount, 1), locale, signed)}</bdi>;
}

/** The counted amount minus the expected amount. Missing cash is highlighted. */
export function Difference({ amount }: { amount: number | null }) {
  if (amount === null) return "–";
  return (
    <span className={amount < 0 ? "text-destructive-strong" : undefined}>
      <Dirhams amount={amount} signed />
    </span>
  );
}

/** A page of shifts; a row opens its report. */
export function ShiftsTable({
  shifts,
  filtered,
  backwards,
}: {
  shifts: readonly Shift[];
  filtered: boolean;
  backwards: boolean;
}) {
  const t = useTranslations("shifts");
  const locale = useLocale();
  const columns: Column<Shift>[] = [
    {
      key: "number",
      header: t("number"),
      primary: true,
      cell: (shift) => (shift.closedAt ? t("report", { number: shift.number }) : t("openShift")),
    },
    {
      key: "till",
      header: t("till"),
      phone: "line",
      cell: (shift) => (
        <span>
          <bdi>{shift.till.name}</bdi> · <BranchName of={shift.branch} />
        </span>
      ),
    },
    {
      // On a phone the name says it.
      key: "state",
      header: t("state"),
      wide: true,
      cell: (shift) => (
        <Badge variant={shift.closedAt ? "success" : "secondary"}>
          {shift.closedAt ? <CircleCheckIcon aria-hidden /> : <ClockIcon aria-hidden />}
          {shift.closedAt ? t("states.closed") : t("states.open")}
        </Badge>
      ),
    },
    {
      key: "opened",
      header: t("opened"),
      phone: "below",
      cell: (shift) => formatDateTime(shift.openedAt, locale),
    },
    {
      key: "closed",
      header: t("closed"),
      wide: true,
      cell: (shift) => (shift.closedAt ? formatDateTime(shift.closedAt, locale) : "–"),
    },
    {
      key: "difference",
      header: t("difference"),
      align: "end",
      phone: "aside",
      cell: (shift) => <Difference amount={shift.difference} />,
    },
  ];
  return (
    <DataTable
      caption={t("caption")}
      columns={columns}
      rows={shifts}
      rowKey={(shift) => shift.id}
      rowHref={(shift) => `/merchant/shifts/${shift.id}`}
      empty={
        filtered ? (
          <NoneFound icon={BanknoteIcon} backwards={backwards} />
        ) : (
          <EmptyState icon={BanknoteIcon} title={t("none")} description={t("noneText")} />
        )
      }
    />
  );
}
