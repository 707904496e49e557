import { getTranslations } from "next-intl/server";
import { FilterBar } from "@/components/data/filter-bar";
import { ListFrame } from "@/components/data/list-frame";
import { deferRead, StreamedList } from "@/components/data/streamed";
import { AddTill, TillsTable } from "@/components/tills/tills";
import { pageContext, pageQuery, pageTitle, type SearchParams } from "@/lib/api/page";
import { listBranches } from "@/lib/branches/branches";
import { branchName } from "@/lib/domain/branch-name";
import { tillsSchema } from "@/lib/tills/model/till";
import { listTills } from "@/lib/tills/tills";

export const generateMetadata = pageTitle("panels.titles.tills");

export default async function TillsPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext(listTills);
  const query = await pageQuery(tillsSchema, searchParams);
  const list = deferRead(listTills(ctx, query));
  const { results } = await listBranches(ctx, { state: "open", limit: 100, sort: "name" });
  const branches = results.map((branch) => ({ value: branch.id, label: branchName(branch, ctx.locale) }));
  const t = await getTranslations("tills");
  return (
    <ListFrame>
      <FilterBar
        fields={[
          {
            name: "state",
            label: t("state"),
            without: t("states.in_use"),
            options: [
              { value: "retired", label: t("states.retired") },
              { value: "all", label: t("states.all") },
            ],
          },
          { name: "branchId", label: t("branch"), options: branches },
        ]}
        actions={<AddTill branches={branches} />}
      />
      <StreamedList data={list}>
        {(page) => (
          <TillsTable
            tills={page.results}
            branches={branches}
            filtered={query.state === "retired" || Boolean(query.branchId ?? query.cursor)}
          />
        )}
      </StreamedList>
    </ListFrame>
  );
}
