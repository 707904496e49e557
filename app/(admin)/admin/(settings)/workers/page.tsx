import { PlusIcon } from "lucide-react";
import { getTranslations } from "next-intl/server";
import {
  createWorkerAction,
  inviteWorkerAction,
  updateWorkerAction,
} from "@/app/(merchant)/merchant/(settings)/workers/actions";
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
import { merchantOptions } from "@/lib/merchants/read-merchants";
import { WORKER_STATUSES, workersSchema } from "@/lib/workers/model";
import { listWorkers } from "@/lib/workers/read-workers";

export async function generateMetadata() {
  return { title: (await getTranslations("panels.titles"))("workers") };
}

/**
 * The employees of all merchants. To add or edit one, choose the merchant in the filter first: its branches
 * are needed.
 */
export default async function WorkersPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext(listWorkers);
  const query = await pageQuery(workersSchema, searchParams);
  const { merchantId } = query;
  const list = deferRead(listWorkers(ctx, query));
  const [merchants, branches, t] = await Promise.all([
    merchantOptions(ctx, { merchantId }),
    merchantId ? listBranches(ctx, { merchantId, state: "open", limit: 100, sort: "name" }) : null,
    getTranslations("workers"),
  ]);
  const branchOptions = branches?.results.map(({ id, name }) => ({ value: id, label: name })) ?? null;
  const order = { current: query.sort ?? "-added", fallback: "-added" };
  const actions = { create: createWorkerAction, update: updateWorkerAction, invite: inviteWorkerAction };
  const add = branchOptions && (
    <WorkerDialog branches={branchOptions} merchantId={merchantId} {...actions}>
      <Button>
        <PlusIcon aria-hidden /> {t("add")}
      </Button>
    </WorkerDialog>
  );
  const ofList = (
    <>
      <ExportLink path="/admin/workers/export" query={query}>
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
            name: "merchantId",
            label: t("merchant"),
            options: merchants,
          },
          {
            name: "status",
            label: t("status"),
            options: WORKER_STATUSES.map((value) => ({ value, label: t(`statuses.${value}`) })),
          },
        ]}
        sort={{
          order,
          by: [
            { field: "added", time: true },
            { field: "name", label: t("name") },
          ],
        }}
        actions={ofList}
      />
      <Streamed data={list} fallback={<ListSkeleton tall />}>
        {(page) => (
          <>
            <WorkersTable
              workers={page.results}
              branches={branchOptions}
              withMerchant
              filtered={Boolean(query.search ?? query.status ?? merchantId ?? query.cursor)}
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
