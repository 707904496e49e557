import { IdCardIcon } from "lucide-react";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { ExportLink } from "@/components/data/export-link";
import { FilterBar } from "@/components/data/filter-bar";
import { ListFrame } from "@/components/data/list-frame";
import { deferRead, StreamedList } from "@/components/data/streamed";
import { AddWorker } from "@/components/workers/worker-actions";
import { WorkersTable } from "@/components/workers/workers-table";
import { pageContext, pageQuery, pageTitle, type SearchParams } from "@/lib/api/page";
import { listBranches } from "@/lib/branches/branches";
import { branchName } from "@/lib/domain/branch-name";
import { PANELS } from "@/lib/domain/panels";
import { merchantOptions } from "@/lib/merchants/read-merchants";
import { WORKER_STATUSES, workersSchema } from "@/lib/workers/model";
import { listWorkers } from "@/lib/workers/workers";

export const workersMetadata = pageTitle("panels.titles.workers");

/**
 * The employees in the user's scope. An administrator, who sees all merchants, chooses one in the filter before an
 * employee can be added or edited: its branches are needed.
 */
export async function WorkersPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext(listWorkers);
  const query = await pageQuery(workersSchema, searchParams);
  const list = deferRead(listWorkers(ctx, query));
  const seesAllMerchants = ctx.actor.role === "super_admin";
  const merchantId = seesAllMerchants ? query.merchantId : undefined;
  const [merchants, branches, t] = await Promise.all([
    seesAllMerchants ? merchantOptions(ctx, { merchantId }) : null,
    seesAllMerchants && !merchantId
      ? null
      : listBranches(ctx, { merchantId, state: "open", limit: 100, sort: "name" }),
    getTranslations("workers"),
  ]);
  const branchOptions =
    branches?.results.map((branch) => ({ value: branch.id, label: branchName(branch, ctx.locale) })) ?? null;
  const base = `/${PANELS[ctx.actor.role].segment}`;
  const order = { current: query.sort ?? "-added", fallback: "-added" };
  const { search, status, branchId, cursor } = query;
  const add = branchOptions && <AddWorker branches={branchOptions} merchantId={merchantId} />;
  const statuses = {
    name: "status",
    label: t("status"),
    options: WORKER_STATUSES.map((value) => ({ value, label: t(`statuses.${value}`) })),
  };
  return (
    <ListFrame>
      <FilterBar
        search={t("search")}
        fields={
          merchants
            ? [{ name: "merchantId", label: t("merchant"), options: merchants }, statuses]
            : [statuses, { name: "branchId", label: t("branch"), options: branchOptions ?? [] }]
        }
        sort={{
          order,
          by: [
            { field: "added", time: true },
            { field: "name", label: t("name") },
          ],
        }}
        actions={
          <>
            <ExportLink path={`${base}/workers/export`} query={query}>
              {t("exportCsv")}
            </ExportLink>
            {add}
          </>
        }
      />
      {!seesAllMerchants && <StaffCardsLink base={base} />}
      <StreamedList data={list}>
        {(page) => (
          <WorkersTable
            workers={page.results}
            branches={branchOptions}
            withMerchant={seesAllMerchants}
            filtered={Boolean(search ?? status ?? query.merchantId ?? branchId ?? cursor)}
            order={order}
            add={add}
          />
        )}
      </StreamedList>
    </ListFrame>
  );
}

/** A link to the movements on cards of the merchant's own staff. */
async function StaffCardsLink({ base }: { base: string }) {
  const t = await getTranslations("workers");
  return (
    <Link
      href={`${base}/transactions?staffCards=true`}
      className="touch mb-3 flex w-fit items-center gap-1.5 text-link text-sm underline underline-offset-4"
    >
      <IdCardIcon className="size-4" aria-hidden /> {t("staffCards")}
    </Link>
  );
}
