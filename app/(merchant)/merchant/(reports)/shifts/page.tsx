import { getTranslations } from "next-intl/server";
import { FilterBar } from "@/components/data/filter-bar";
import { ListFrame } from "@/components/data/list-frame";
import { deferRead, StreamedList } from "@/components/data/streamed";
import { ShiftsTable } from "@/components/tills/shifts/shifts-table";
import { pageContext, pageQuery, pageTitle, type SearchParams } from "@/lib/api/page";
import { shiftsSchema } from "@/lib/tills/model/shift";
import { listShifts } from "@/lib/tills/read-shifts";
import { listTills } from "@/lib/tills/tills";

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
      <StreamedList data={list}>
        {(page) => (
          <ShiftsTable
            shifts={page.results}
            filtered={Boolean(query.tillId ?? query.from ?? query.to ?? query.cursor)}
            backwards={Boolean(query.from && query.to && query.from > query.to)}
          />
        )}
      </StreamedList>
    </ListFrame>
  );
}
