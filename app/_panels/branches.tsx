import { getTranslations } from "next-intl/server";
import { AddBranch } from "@/components/branches/branch-actions";
import { BranchesTable } from "@/components/branches/branches-table";
import { FilterBar } from "@/components/data/filter-bar";
import { ListFrame } from "@/components/data/list-frame";
import type { SortField } from "@/components/data/sorting";
import { deferRead, StreamedList } from "@/components/data/streamed";
import { pageContext, pageQuery, pageTitle, type SearchParams } from "@/lib/api/page";
import { listBranches, listOutlets } from "@/lib/branches/branches";
import { branchListSchema } from "@/lib/branches/model";
import { merchantOptions } from "@/lib/merchants/read-merchants";

export const branchesMetadata = pageTitle("panels.titles.branches");

/** The branches of the owner's merchant. */
export async function BranchesPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext(listBranches);
  const query = await pageQuery(branchListSchema, searchParams);
  const list = deferRead(listBranches(ctx, query));
  return <BranchList list={list} query={query} merchants={null} />;
}

export const outletsMetadata = pageTitle("panels.titles.outlets");

/** The branches of all merchants, which administrators call outlets. */
export async function OutletsPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext(listOutlets);
  const query = await pageQuery(branchListSchema, searchParams);
  const list = deferRead(listOutlets(ctx, query));
  const merchants = await merchantOptions(ctx, query);
  return <BranchList list={list} query={query} merchants={merchants} />;
}

async function BranchList({
  list,
  query: { search, state, merchantId, sort, cursor },
  merchants,
}: {
  list: ReturnType<typeof deferRead<Awaited<ReturnType<typeof listBranches>>>>;
  query: Awaited<ReturnType<typeof pageQuery<typeof branchListSchema>>>;
  merchants: Awaited<ReturnType<typeof merchantOptions>> | null;
}) {
  const t = await getTranslations("branches");
  const order = { current: sort ?? "-added", fallback: "-added" };
  const add = <AddBranch merchants={merchants} />;
  const states = {
    name: "state",
    label: t("state"),
    options: [
      { value: "open", label: t("states.open") },
      { value: "archived", label: t("states.archived") },
    ],
  };
  const byMerchant = { name: "merchantId", label: t("merchant"), options: merchants ?? [] };
  const by: SortField[] = [
    { field: "added", time: true },
    { field: "name", label: t("name") },
  ];
  if (merchants) by.push({ field: "merchant", label: t("merchant") });
  return (
    <ListFrame>
      <FilterBar
        search={merchants ? t("searchOutlets") : t("search")}
        fields={merchants ? [byMerchant, states] : [states]}
        sort={{ order, by }}
        actions={add}
      />
      <StreamedList data={list}>
        {(page) => (
          <BranchesTable
            branches={page.results}
            withMerchant={merchants !== null}
            filtered={Boolean(search ?? (merchants && merchantId) ?? cursor) || state !== "all"}
            order={order}
            add={add}
          />
        )}
      </StreamedList>
    </ListFrame>
  );
}
