import { CircleCheckIcon, CircleMinusIcon, MailIcon, UsersIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { type Column, DataTable } from "@/components/data/data-table";
import { ClearFilters } from "@/components/data/filter-bar";
import { BranchName, MerchantName } from "@/components/data/names";
import type { ListOrder } from "@/components/data/order";
import { StateBadge, type StateLook } from "@/components/data/status-badge";
import type { Option } from "@/components/forms/choice-fields";
import { EmptyState } from "@/components/ui/empty";
import { formatPhone } from "@/lib/domain/contact";
import { cashValue, formatQar } from "@/lib/domain/money";
import type { Worker, WorkerStatus, WorkerToday } from "@/lib/workers/model";
import { WorkerMenu } from "./worker-actions";

const STATUS: Record<WorkerStatus, StateLook> = {
  active: { variant: "success", Icon: CircleCheckIcon },
  invited: { variant: "warning", Icon: MailIcon },
  disabled: { variant: "secondary", Icon: CircleMinusIcon },
};

/** An employee's totals of today in QAR, net of undone movements. A placeholder if there are none. */
function Today({ today }: { today: WorkerToday }) {
  const t = useTranslations("workers.today");
  const locale = useLocale();
  const { topUps, redeems, undone } = today;
  const qar = (dirhams: number) => formatQar(cashValue(dirhams, 1), locale);
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

/** A page of employees with their totals of today. */
export function WorkersTable({
  workers,
  branches,
  withMerchant = false,
  filtered,
  order,
  add,
}: {
  workers: readonly Worker[];
  /** Null if the employees are of several merchants, because their branches differ. */
  branches: readonly Option[] | null;
  /** Shows the merchant of each employee. */
  withMerchant?: boolean;
  /** Whether a filter is set: an empty list then asks to change it. */
  filtered: boolean;
  order: ListOrder;
  /** The add button, shown in an empty list. */
  add?: ReactNode;
}) {
  const t = useTranslations("workers");
  const columns: Column<Worker>[] = [
    {
      key: "name",
      header: t("name"),
      sort: "name",
      primary: true,
      cell: (worker) => (
        <>
          <bdi>
            {worker.firstName} {worker.lastName}
          </bdi>
          <bdi className="sub mail" title={worker.email}>
            {worker.email}
          </bdi>
        </>
      ),
    },
    {
      key: "phone",
      header: t("phone"),
      phone: "line",
      className: "least",
      cell: (worker) => (
        <bdi dir="ltr" className="whitespace-nowrap tabular-nums">
          {worker.phone ? formatPhone(worker.phone) : "–"}
        </bdi>
      ),
    },
    {
      key: "branch",
      header: t(withMerchant ? "merchant" : "branch"),
      phone: "line",
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
      key: "status",
      header: t("status"),
      phone: "aside",
      cell: ({ status }) => <StateBadge of={STATUS[status]}>{t(`statuses.${status}`)}</StateBadge>,
    },
    {
      key: "today",
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
      key: "actions",
      header: t("actions"),
      actions: true,
      cell: ({ today: _, merchant: __, createdAt: ___, ...worker }) => (
        <WorkerMenu worker={worker} branches={branches} />
      ),
    },
  ];
  return (
    <DataTable
      caption={t("caption")}
      columns={columns}
      rows={workers}
      order={order}
      rowKey={(worker) => worker.id}
      empty={
        <EmptyState
          icon={UsersIcon}
          title={t(filtered ? "noneFound" : "none")}
          description={t(filtered ? "noneFoundText" : "noneText")}
          action={filtered ? <ClearFilters /> : add}
        />
      }
    />
  );
}
