import { PlusIcon } from "lucide-react";
import { getTranslations } from "next-intl/server";
import { AddBranchDialog } from "@/components/branches/branch-dialog";
import { BranchesTable } from "@/components/branches/branches-table";
import { CursorPager, FilterBar, FilterSearch, FilterSelect } from "@/components/data";
import { Button } from "@/components/ui/button";
import { listBranches } from "@/lib/branches/list-branches";
import { branchListSchema } from "@/lib/domain/branch";
import { pageContext } from "@/lib/http/page";
import { pageQuery, type SearchParams } from "@/lib/http/query";
import { createBranchAction, removeBranchAction, updateBranchAction } from "./actions";

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("branches") };
}

export default async function BranchesPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext("branches.manage");
  const query = await pageQuery(branchListSchema, searchParams);
  const page = await listBranches(ctx, query);
  const t = await getTranslations("branches");
  const add = (
    <AddBranchDialog create={createBranchAction}>
      <Button>
        <PlusIcon aria-hidden /> {t("add")}
      </Button>
    </AddBranchDialog>
  );
  return (
    <>
      <FilterBar names={["search", "state"]} actions={add}>
        <FilterSearch label={t("search")} />
        <FilterSelect
          name="state"
          label={t("state")}
          options={[
            { value: "open", label: t("states.open") },
            { value: "archived", label: t("states.archived") },
          ]}
        />
      </FilterBar>
      <BranchesTable
        branches={page.results}
        filtered={Boolean(query.search) || query.state !== "all" || Boolean(query.cursor)}
        add={add}
        update={updateBranchAction}
        remove={removeBranchAction}
      />
      <CursorPager nextCursor={page.nextCursor} />
    </>
  );
}
