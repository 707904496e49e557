import { PlusIcon } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { AddBranchDialog } from "@/components/branches/branch-dialog";
import { BranchesTable } from "@/components/branches/branches-table";
import { CursorPager } from "@/components/data/cursor-pager";
import { FilterBar } from "@/components/data/filter-bar";
import { ListFrame } from "@/components/data/list-frame";
import { ListSkeleton } from "@/components/data/list-skeleton";
import { deferRead, Streamed } from "@/components/data/streamed";
import { Button } from "@/components/ui/button";
import { pageContext, pageQuery, type SearchParams } from "@/lib/api/page";
import { branchListSchema } from "@/lib/branches/model";
import { listOutlets } from "@/lib/branches/read-branches";
import { merchantOptions } from "@/lib/merchants/read-merchants";
import { createOutletAction, removeOutletAction, updateOutletAction } from "./actions";

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("outlets") };
}

export default async function OutletsPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext(listOutlets);
  const query = await pageQuery(branchListSchema, searchParams);
  const list = deferRead(listOutlets(ctx, query));
  const options = await merchantOptions(ctx, query);
  const order = { current: query.sort ?? "-added", fallback: "-added" };
  const t = await getTranslations("branches");
  const add = (
    <AddBranchDialog create={createOutletAction} merchants={options}>
      <Button>
        <PlusIcon aria-hidden /> {t("addOutlet")}
      </Button>
    </AddBranchDialog>
  );
  return (
    <ListFrame>
      <FilterBar
        search={t("searchOutlets")}
        fields={[
          { name: "merchantId", label: t("merchant"), options },
          {
            name: "state",
            label: t("state"),
            options: [
              { value: "open", label: t("states.open") },
              { value: "archived", label: t("states.archived") },
            ],
          },
        ]}
        sort={{
          order,
          by: [
            { field: "added", time: true },
            { field: "name", label: t("name") },
            { field: "merchant", label: t("merchant") },
          ],
        }}
        actions={add}
      />
      <Streamed data={list} fallback={<ListSkeleton />}>
        {(page) => (
          <>
            <BranchesTable
              branches={page.results}
              withMerchant
              filtered={Boolean(query.search ?? query.merchantId ?? query.cursor) || query.state !== "all"}
              order={order}
              add={add}
              update={updateOutletAction}
              remove={removeOutletAction}
            />
            <CursorPager nextCursor={page.nextCursor} />
          </>
        )}
      </Streamed>
    </ListFrame>
  );
}
