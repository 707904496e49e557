import { DownloadIcon } from "lucide-react";
import { useTranslations } from "next-intl";
import { FilterBar, FilterDate, FilterSearch, FilterSelect } from "@/components/data/filter-bar";
import type { ListOrder } from "@/components/data/order";
import { FilterSort } from "@/components/data/sorting";
import { DownloadLink } from "@/components/session/download-link";
import { Button } from "@/components/ui/button";
import { MOVEMENT_TYPES } from "@/lib/domain/movements";
import type { Choice, FilterOptions } from "@/lib/domain/paging";
import { TENDERS } from "@/lib/domain/tender";

const NAMES = [
  "search",
  "type",
  "tender",
  "from",
  "to",
  "merchantId",
  "branchId",
  "workerId",
  "actorRole",
  "customerId",
  "staffCards",
];
// Administrators post nothing.
const STAFF_ROLES = ["branch_worker", "merchant_owner", "super_admin"] as const;
const asOptions = (choices: Choice[]) => choices.map(({ id, name }) => ({ value: id, label: name }));

/** The transaction log's filters, all kept in the URL. */
export function TransactionsFilters({
  options,
  exportHref,
  order,
}: {
  options: FilterOptions;
  /** Null where the reader may not export. */
  exportHref: string | null;
  order: ListOrder;
}) {
  const t = useTranslations();
  return (
    <FilterBar
      names={NAMES}
      fold
      actions={
        exportHref !== null && (
          <Button variant="outline" asChild>
            <DownloadLink href={exportHref}>
              <DownloadIcon aria-hidden /> {t("transactions.export")}
            </DownloadLink>
          </Button>
        )
      }
    >
      <FilterSearch label={t("transactions.search")} className="sm:w-full lg:w-96" />
      <FilterSelect
        name="type"
        label={t("movements.type")}
        options={MOVEMENT_TYPES.map((value) => ({ value, label: t(`movements.types.${value}`) }))}
      />
      <FilterSelect
        name="tender"
        label={t("movements.tender")}
        options={TENDERS.map((value) => ({ value, label: t(`movements.tenders.${value}`) }))}
      />
      <FilterDate name="from" label={t("transactions.from")} />
      <FilterDate name="to" label={t("transactions.to")} />
      {options.merchants.length > 0 && (
        <FilterSelect
          name="merchantId"
          label={t("movements.merchant")}
          options={asOptions(options.merchants)}
          clears={["branchId", "workerId"]}
        />
      )}
      {options.branches.length > 0 && (
        <FilterSelect name="branchId" label={t("movements.branch")} options={asOptions(options.branches)} />
      )}
      {options.staff.length > 0 && (
        <FilterSelect name="workerId" label={t("transactions.worker")} options={asOptions(options.staff)} />
      )}
      {exportHref !== null && (
        <FilterSelect
          name="actorRole"
          label={t("transactions.postedBy")}
          options={STAFF_ROLES.map((value) => ({ value, label: t(`roles.${value}.label`) }))}
        />
      )}
      {exportHref !== null && (
        <FilterSelect
          name="staffCards"
          label={t("transactions.cards")}
          options={[{ value: "true", label: t("transactions.staffCards") }]}
        />
      )}
      <FilterSort order={order} fields={[{ field: "time", time: true }]} />
    </FilterBar>
  );
}
