import { BanknoteIcon, CircleCheckIcon, ClockIcon } from "lucide-react";
import { getLocale, getTranslations } from "next-intl/server";
import type { Column } from "@/components/data/data-table";
import { FilterBar } from "@/components/data/filter-bar";
import { ListFrame } from "@/components/data/list-frame";
import { BranchName } from "@/components/data/names";
import { deferRead, StreamedTable } from "@/components/data/streamed";
import { Difference } from "@/components/tills/shifts/shift-report";
import { Badge } from "@/components/ui/badge";
import { pageContext, pageQuery, pageTitle, type SearchParams } from "@/lib/api/page";
import { formatDateTime } from "@/lib/domain/time";
import { shiftsSchema } from "@/lib/tills/model/shift";
import type { Shift } from "@/lib/tills/names";
import { listShifts } from "@/lib/tills/read-shifts";
import { listTills } from "@/lib/tills/tills";

async function shiftColumns(): Promise<Column<Shift>[]> {
  const t = await getTranslations("shifts");
  const locale = await getLocale();
  return [
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
}

export const generateMetadata = pageTitle("panels.titles.shifts");

export default async function ShiftsPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext(listTills);
  const query = await pageQuery(shiftsSchema, searchParams);
  const list = deferRead(listShifts(ctx, query));
  const tills = await listTills(ctx, { state: "all", limit: 100 });
  const t = await getTranslations("shifts");
  return (
    <ListFrame>
      <FilterBar
        range={t("days")}
        fields={[
          {
            name: "tillId",
            label: t("till"),
            options: tills.results.map(({ id, name }) => ({ value: id, label: name })),
          },
        ]}
      />
      <StreamedTable
        data={list}
        caption={t("caption")}
        columns={await shiftColumns()}
        rowHref={({ id }) => `/merchant/shifts/${id}`}
        of="shifts"
        icon={BanknoteIcon}
        filtered={Boolean(query.tillId ?? query.from ?? query.to ?? query.cursor)}
        backwards={Boolean(query.from && query.to && query.from > query.to)}
      />
    </ListFrame>
  );
}
