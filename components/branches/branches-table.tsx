import { ArchiveIcon, CircleCheckIcon, MapPinIcon } from "lucide-react";
import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { type Column, DataTable } from "@/components/data/data-table";
import { ClearFilters } from "@/components/data/filter-bar";
import { BranchName, MerchantName } from "@/components/data/names";
import type { ListOrder } from "@/components/data/order";
import { Badge } from "@/components/ui/badge";
import { EmptyState } from "@/components/ui/empty";
import type { Branch } from "@/lib/branches/model";
import { formatCount } from "@/lib/domain/money";
import { formatDate } from "@/lib/domain/time";
import { BranchMenu } from "./branch-actions";

/** A page of branches; `withMerchant` adds the merchant column. */
export function BranchesTable({
  branches,
  withMerchant,
  filtered,
  order,
  add,
}: {
  branches: readonly Branch[];
  withMerchant: boolean;
  /** Whether a filter is set: an empty list then asks to change it. */
  filtered: boolean;
  order: ListOrder;
  /** The add button, shown in an empty list. */
  add: ReactNode;
}) {
  const t = useTranslations("branches");
  const locale = useLocale();
  const columns: (Column<Branch> | false)[] = [
    {
      key: "name",
      header: t("name"),
      sort: "name",
      primary: true,
      cell: (branch) => <BranchName of={branch} />,
    },
    withMerchant && {
      key: "merchant",
      header: t("merchant"),
      sort: "merchant",
      phone: "line",
      cell: (branch) => <MerchantName of={branch.merchant} />,
    },
    { key: "city", header: t("city"), phone: "line", cell: (branch) => <bdi>{branch.city}</bdi> },
    {
      key: "workers",
      header: t("workers"),
      align: "end",
      // Beside the merchant and the city, a phone has no room for it.
      wide: withMerchant,
      cell: (branch) => formatCount(branch.workers),
    },
    {
      key: "state",
      header: t("state"),
      phone: "aside",
      cell: (branch) => (
        <Badge variant={branch.archivedAt ? "secondary" : "success"}>
          {branch.archivedAt ? <ArchiveIcon aria-hidden /> : <CircleCheckIcon aria-hidden />}
          {branch.archivedAt ? t("states.archived") : t("states.open")}
        </Badge>
      ),
    },
    {
      key: "since",
      header: t("since"),
      sort: "added",
      wide: true,
      cell: (branch) => formatDate(branch.createdAt, locale),
    },
    {
      key: "actions",
      header: t("actions"),
      actions: true,
      cell: (branch) => <BranchMenu branch={branch} ofOutlet={withMerchant} />,
    },
  ];
  return (
    <DataTable
      caption={t("caption")}
      columns={columns.filter((column) => column !== false)}
      rows={branches}
      order={order}
      rowKey={(branch) => branch.id}
      empty={
        <EmptyState
          icon={MapPinIcon}
          title={t(filtered ? "noneFound" : "none")}
          description={t(filtered ? "noneFoundText" : "noneText")}
          action={filtered ? <ClearFilters /> : add}
        />
      }
    />
  );
}
