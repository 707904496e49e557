import { BanknoteIcon, CircleCheckIcon, ClockIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import { type Column, DataTable } from "@/components/data/data-table";
import { BranchName } from "@/components/data/names";
import { NoRows } from "@/components/data/no-rows";
import { Badge } from "@/components/ui/badge";
import { formatDateTime } from "@/lib/domain/time";
import type { Shift } from "@/lib/tills/names";
import { Difference } from "./shift-report";

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
      header: t("number"),
      primary: true,
      cell: (shift) => (shift.closedAt ? t("report", { number: shift.number }) : t("openShift")),
    },
    {
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
      header: t("opened"),
      phone: "below",
      cell: (shift) => formatDateTime(shift.openedAt, locale),
    },
    {
      header: t("closed"),
      wide: true,
      cell: (shift) => (shift.closedAt ? formatDateTime(shift.closedAt, locale) : "–"),
    },
    {
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
      rowHref={(shift) => `/merchant/shifts/${shift.id}`}
      empty={
        <NoRows
          icon={BanknoteIcon}
          filtered={filtered}
          backwards={backwards}
          title={t("none")}
          text={t("noneText")}
        />
      }
    />
  );
}
