import { IdCardIcon, PlusIcon } from "lucide-react";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { CursorPager } from "@/components/data/cursor-pager";
import { ExportLink } from "@/components/data/export-link";
import { FilterBar } from "@/components/data/filter-bar";
import { ListFrame } from "@/components/data/list-frame";
import { ListSkeleton } from "@/components/data/list-skeleton";
import { deferRead, Streamed } from "@/components/data/streamed";
import { Button } from "@/components/ui/button";
import { WorkerDialog } from "@/components/workers/worker-dialog";
import { WorkersTable } from "@/components/workers/workers-table";
import { pageContext, pageQuery, type SearchParams } from "@/lib/api/page";
import { listBranches } from "@/lib/branches/read-branches";
import { WORKER_STATUSES, workersSchema } from "@/lib/workers/model";
import { listWorkers } from "@/lib/workers/read-workers";
import { createWorkerAction, inviteWorkerAction, updateWorkerAction } from "./actions";

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("workers") };
}

export default async function WorkersPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext(listWorkers);
  const query = await pageQuery(workersSchema, searchParams);
  const list = deferRead(listWorkers(ctx, query));
  const branches = await listBranches(ctx, { state: "open", limit: 100, sort: "name" });
  const order = { current: query.sort ?? "-added", fallback: "-added" };
  const t = await getTranslations("workers");
  const branchOptions = branches.results.map(({ id, name }) => ({ value: id, label: name }));
  const actions = { create: createWorkerAction, update: updateWorkerAction, invite: inviteWorkerAction };
  const add = (
    <WorkerDialog branches={branchOptions} {...actions}>
      <Button>
        <PlusIcon aria-hidden /> {t("add")}
      </Button>
    </WorkerDialog>
  );
  const actionsOfList = (
    <>
      <ExportLink path="/merchant/workers/export" query={query}>
        {t("exportCsv")}
      </ExportLink>
      {add}
    </>
  );
  return (
    <ListFrame>
      <FilterBar
        search={t("search")}
        fields={[
          {
            name: "status",
            label: t("status"),
            options: WORKER_STATUSES.map((value) => ({ value, label: t(`statuses.${value}`) })),
          },
          { name: "branchId", label: t("branch"), options: branchOptions },
        ]}
        sort={{
          order,
          by: [
            { field: "added", time: true },
            { field: "name", label: t("name") },
          ],
        }}
        actions={actionsOfList}
      />
      <Link
        href="/merchant/transactions?staffCards=true"
        className="touch mb-3 flex w-fit items-center gap-1.5 text-muted-foreground text-sm hover:text-foreground"
      >
        <IdCardIcon className="size-4" aria-hidden /> {t("staffCards")}
      </Link>
      <Streamed data={list} fallback={<ListSkeleton tall />}>
        {(page) => (
          <>
            <WorkersTable
              workers={page.results}
              branches={branchOptions}
              filtered={Boolean(query.search ?? query.status ?? query.branchId ?? query.cursor)}
              order={order}
              add={add}
              {...actions}
            />
            <CursorPager nextCursor={page.nextCursor} />
          </>
        )}
      </Streamed>
    </ListFrame>
  );
}
