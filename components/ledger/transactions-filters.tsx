import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { type Chip, FilterBar } from "@/components/data/filter-bar";
import type { ListOrder } from "@/components/data/order";
import type { Choice, FilterOptions } from "@/lib/domain/paging";
import { MOVEMENT_TYPES } from "@/lib/ledger/model/movements";
import { TENDERS } from "@/lib/ledger/model/tender";

// Administrators post nothing.
const STAFF_ROLES = ["branch_worker", "merchant_owner", "super_admin"] as const;

/** A filter by one of these, if there are any. */
const choiceOf = (name: string, label: string, choices: Choice[]) =>
  choices.length > 0 && {
    name,
    label,
    options: choices.map((one) => ({ value: one.id, label: one.name })),
  };

/** The transaction log's filters, all kept in the URL. */
export function TransactionsFilters({
  options: { merchants, branches, staff, keys },
  order,
  chips,
  exportLink,
}: {
  options: FilterOptions;
  order: ListOrder;
  chips: readonly Chip[];
  /** Null where the reader may not export. */
  exportLink: ReactNode;
}) {
  const t = useTranslations();
  const all = exportLink !== null;
  const byMerchant = choiceOf("merchantId", t("movements.merchant"), merchants);
  const fields = [
    {
      name: "type",
      label: t("movements.type"),
      options: MOVEMENT_TYPES.map((value) => ({ value, label: t(`movements.types.${value}`) })),
    },
    {
      name: "tender",
      label: t("movements.tender"),
      options: TENDERS.map((value) => ({ value, label: t(`movements.tenders.${value}`) })),
    },
    byMerchant && { ...byMerchant, clears: ["branchId", "workerId", "keyId"] },
    choiceOf("branchId", t("movements.branch"), branches),
    choiceOf("workerId", t("transactions.worker"), staff),
    choiceOf("keyId", t("transactions.apiKey"), keys),
    all && {
      name: "actorRole",
      label: t("transactions.postedBy"),
      options: STAFF_ROLES.map((value) => ({ value, label: t(`roles.${value}.label`) })),
    },
    all && {
      name: "staffCards",
      label: t("transactions.cards"),
      options: [{ value: "true", label: t("transactions.staffCards") }],
    },
  ];
  return (
    <FilterBar
      search={t("transactions.search")}
      range={t("transactions.days")}
      fields={fields.filter((field) => field !== false)}
      chips={chips}
      sort={{ order, by: [{ field: "time", time: true }] }}
      actions={exportLink}
    />
  );
}
