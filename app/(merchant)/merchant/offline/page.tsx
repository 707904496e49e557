import { getTranslations } from "next-intl/server";
import { withTexts } from "@/app/_texts/page-texts";
import { CursorPager } from "@/components/data/cursor-pager";
import { FilterBar } from "@/components/data/filter-bar";
import { FilterSelect } from "@/components/data/filter-fields";
import { ListFrame } from "@/components/data/list-frame";
import { ListSkeleton } from "@/components/data/list-skeleton";
import { deferRead, Streamed } from "@/components/data/streamed";
import { OfflineList } from "@/components/tills/offline-list";
import { entriesSchema } from "@/lib/domain/offline";
import { pageContext, pageQuery, type SearchParams } from "@/lib/http/page";
import { listEntries } from "@/lib/tills/offline-inbox";
import { resolveEntryAction } from "./actions";

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("offlineEntries") };
}

async function OfflinePage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext("offline.resolve");
  const query = await pageQuery(entriesSchema, searchParams);
  const list = deferRead(listEntries(ctx, query));
  const t = await getTranslations("offline");
  return (
    <ListFrame>
      <FilterBar names={["state"]}>
        <FilterSelect
          name="state"
          label={t("state")}
          options={[
            { value: "resolved", label: t("states.resolved") },
            { value: "all", label: t("states.all") },
          ]}
        />
      </FilterBar>
      <Streamed data={list} fallback={<ListSkeleton />}>
        {(page) => (
          <>
            <OfflineList entries={page.results} resolve={resolveEntryAction} />
            <CursorPager nextCursor={page.nextCursor} />
          </>
        )}
      </Streamed>
    </ListFrame>
  );
}

export default withTexts("(merchant)/merchant/offline", OfflinePage);
