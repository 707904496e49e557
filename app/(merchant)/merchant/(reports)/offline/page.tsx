import { getTranslations } from "next-intl/server";
import { asOptions, filterBy, readList } from "@/app/_panels/read-list";
import { FilterBar } from "@/components/data/filter-bar";
import { ListFrame } from "@/components/data/list-frame";
import { StreamedList } from "@/components/data/streamed";
import { OfflineList } from "@/components/tills/offline/offline-list";
import { pageContext, pageTitle, type SearchParams } from "@/lib/api/page";
import { viewConfig } from "@/lib/points-config/read-config";
import { entriesSchema } from "@/lib/tills/model/offline";
import { listEntries } from "@/lib/tills/offline-inbox";
import { listTills } from "@/lib/tills/tills";

export const generateMetadata = pageTitle("panels.titles.offline");

export default async function OfflinePage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext(listEntries);
  const { list } = await readList(entriesSchema, searchParams, (query) => listEntries(ctx, query));
  const [tills, { dirhamsPerPoint }, t] = await Promise.all([
    listTills(ctx, { state: "all", limit: 100 }),
    viewConfig(ctx, {}),
    getTranslations("offline"),
  ]);
  return (
    <ListFrame>
      <FilterBar
        fields={[
          filterBy(
            "state",
            t("state"),
            ["resolved", "all"],
            (value) => t(`states.${value}`),
            t("states.waiting"),
          ),
          { name: "tillId", label: t("tillOnly"), options: asOptions(tills.results) },
        ]}
      />
      <StreamedList data={list.data}>
        {({ results }) => <OfflineList entries={results} rate={dirhamsPerPoint} filtered={list.filtered} />}
      </StreamedList>
    </ListFrame>
  );
}
