import { CircleCheckIcon, CircleMinusIcon, IdCardIcon, MailIcon, UsersIcon } from "lucide-react";
import Link from "next/link";
import { useLocale, useTranslations } from "next-intl";
import { getTranslations } from "next-intl/server";
import type { Column } from "@/components/data/data-table";
import { ExportLink } from "@/components/data/export-link";
import { ListPage } from "@/components/data/list-page";
import { BranchName, MerchantName, NameAndEmail } from "@/components/data/names";
import { StateBadge, type StateLook } from "@/components/data/status-badge";
import type { Option } from "@/components/forms/choice-fields";
import { AddWorker, WorkerMenu } from "@/components/workers/worker-actions";
import { pageContext, pageTitle, type SearchParams } from "@/lib/api/page";
import { formatPhone } from "@/lib/domain/contact";
import { cashValue, formatQar } from "@/lib/domain/money";
import { PANELS } from "@/lib/domain/panels";
import { merchantOptions } from "@/lib/merchants/read-merchants";
import { WORKER_STATUSES, type WorkerStatus, type WorkerToday, workersSchema } from "@/lib/workers/model";
import type { Worker } from "@/lib/workers/names";
import { listWorkers } from "@/lib/workers/workers";
import { branchOptions } from "./branches";
import { filterBy, readList } from "./read-list";

const STATUS: Record<WorkerStatus, StateLook> = {
  active: { variant: "success", Icon: CircleCheckIcon },
  invited: { variant: "warning", Icon: MailIcon },
  disabled: { variant: "secondary", Icon: CircleMinusIcon },
};

function Today({ today }: { today: WorkerToday }) {
  const t = useTranslations("workers.today");
  const locale = useLocale();
  const { topUps, redeems, undone } = today;
  // No line breaks between the currency and its number.
  const qar = (dirhams: number) => formatQar(cashValue(dirhams, 1), locale).replace(" ", "\u00a0");
  if (topUps.count + redeems.count + undone === 0) {
    return <span className="text-muted-foreground">{t("nothing")}</span>;
  }
  return (
    <span className="stack">
      {topUps.count > 0 && <span>{t("topUps", { count: topUps.count, amount: qar(topUps.dirhams) })}</span>}
      {redeems.count > 0 && (
        <span>{t("redeems", { count: redeems.count, amount: qar(redeems.dirhams) })}</span>
      )}
      {undone > 0 && <span className="text-muted-foreground">{t("undone", { count: undone })}</span>}
    </span>
  );
}

/** `branches` is null if the employees are of several merchants, because their branches differ. */
async function workerColumns(
  branches: readonly Option[] | null,
  withMerchant: boolean,
): Promise<Column<Worker>[]> {
  const t = await getTranslations("workers");
  return [
    {
      header: t("name"),
      sort: "name",
      primary: true,
      cell: (worker) => <NameAndEmail of={worker} />,
    },
    {
      header: t("phone"),
      className: "least",
      cell: (worker) => (
        <bdi dir="ltr" className="whitespace-nowrap tabular-nums">
          {worker.phone ? formatPhone(worker.phone) : "–"}
        </bdi>
      ),
    },
    {
      header: t(withMerchant ? "merchant" : "branch"),
      cell: ({ merchant, branch }) => {
        const home = branch ? <BranchName of={branch} /> : t("noBranch");
        if (!withMerchant) return home;
        return (
          <span className="stack">
            <span>
              <MerchantName of={merchant} />
            </span>
            <span>{home}</span>
          </span>
        );
      },
    },
    {
      header: t("status"),
      phone: "aside",
      cell: ({ status }) => <StateBadge of={STATUS[status]}>{t(`statuses.${status}`)}</StateBadge>,
    },
    {
      header: t("todayTitle"),
      phone: "below",
      cell: (worker) => (
        <>
          <span className="narrow">{t("todayTitle")}: </span>
          <Today today={worker.today} />
        </>
      ),
    },
    {
      header: t("actions"),
      actions: true,
      cell: ({ today: _, merchant: __, createdAt: ___, ...worker }) => (
        <WorkerMenu worker={worker} branches={branches} />
      ),
    },
  ];
}

export const generateMetadata = pageTitle("panels.titles.workers");

/** The employees in the user's scope. An administrator chooses a merchant first to add or edit one. */
export async function WorkersPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await pageContext(listWorkers);
  const { query, list } = await readList(workersSchema, searchParams, (asked) => listWorkers(ctx, asked));
  const seesAllMerchants = ctx.actor.role === "super_admin";
  const merchantId = seesAllMerchants ? query.merchantId : undefined;
  const [merchants, branches, t] = await Promise.all([
    seesAllMerchants ? merchantOptions(ctx, { merchantId }) : null,
    seesAllMerchants && !merchantId ? null : branchOptions(ctx, { merchantId, state: "open" }),
    getTranslations("workers"),
  ]);
  const base = `/${PANELS[ctx.actor.role].segment}`;
  const add = branches && <AddWorker branches={branches} merchantId={merchantId} />;
  const statuses = filterBy("status", t("status"), WORKER_STATUSES, (value) => t(`statuses.${value}`));
  return (
    <ListPage
      list={list}
      filters={{
        search: t("search"),
        fields: merchants
          ? [{ name: "merchantId", label: t("merchant"), options: merchants }, statuses]
          : [statuses, { name: "branchId", label: t("branch"), options: branches ?? [] }],
        actions: (
          <>
            <ExportLink path={`${base}/workers/export`} query={query}>
              {t("exportCsv")}
            </ExportLink>
            {add}
          </>
        ),
      }}
      sorts={{ time: "added", by: [["name", t("name")]] }}
      caption={t("caption")}
      columns={await workerColumns(branches, seesAllMerchants)}
      of="workers"
      icon={UsersIcon}
      add={add}
    >
      {!seesAllMerchants && (
        <Link
          href={`${base}/transactions?staffCards=true`}
          className="touch mb-3 flex w-fit items-center gap-1.5 text-link text-sm underline underline-offset-4"
        >
          <IdCardIcon className="size-4" aria-hidden /> {t("staffCards")}
        </Link>
      )}
    </ListPage>
  );
}
