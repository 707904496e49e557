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
import { listBranches } from "@/lib/branches/read-branches";
import { createBranchAction, removeBranchAction, updateBranchAction } from "./actions";

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("branches") };
}

export default async function BranchesPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext(listBranches);
  const query = await pageQuery(branchListSchema, searchParams);
  const list = deferRead(listBranches(ctx, query));
  const order = { current: query.sort ?? "-added", fallback: "-added" };
  const t = await getTranslations("branches");
  const add = (
    <AddBranchDialog create={createBranchAction}>
      <Button>
        <PlusIcon aria-hidden /> {t("add")}
      </Button>
    </AddBranchDialog>
  );
  return (
    <ListFrame>
      <FilterBar
        search={t("search")}
        fields={[
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
          ],
        }}
        actions={add}
      />
      <Streamed data={list} fallback={<ListSkeleton />}>
        {(page) => (
          <>
            <BranchesTable
              branches={page.results}
              filtered={Boolean(query.search) || query.state !== "all" || Boolean(query.cursor)}
              order={order}
              add={add}
              update={updateBranchAction}
              remove={removeBranchAction}
            />
            <CursorPager nextCursor={page.nextCursor} />
          </>
        )}
      </Streamed>
    </ListFrame>
  );
}
