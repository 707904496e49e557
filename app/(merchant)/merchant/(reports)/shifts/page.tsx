import { BanknoteIcon, CircleCheckIcon, ClockIcon } from "lucide-react";
import { getLocale, getTranslations } from "next-intl/server";
import { asOptions, readList } from "@/app/_panels/read-list";
import type { Column } from "@/components/data/data-table";
import { ListPage } from "@/components/data/list-page";
import { BranchName } from "@/components/data/names";
import { Difference } from "@/components/tills/shifts/shift-report";
import { Badge } from "@/components/ui/badge";
import { pageContext, pageTitle, type SearchParams } from "@/lib/api/page";
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
  const { list } = await readList(shiftsSchema, searchParams, (query) => listShifts(ctx, query));
  const tills = await listTills(ctx, { state: "all", limit: 100 });
  const t = await getTranslations("shifts");
  return (
    <ListPage
      list={list}
      filters={{
        range: t("days"),
        fields: [{ name: "tillId", label: t("till"), options: asOptions(tills.results) }],
      }}
      caption={t("caption")}
      columns={await shiftColumns()}
      rowHref={({ id }) => `/merchant/shifts/${id}`}
      of="shifts"
      icon={BanknoteIcon}
    />
  );
}
