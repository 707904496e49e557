import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { type Chip, FilterBar } from "@/components/data/filter-bar";
import type { ListOrder } from "@/components/data/order";
import type { Choice, FilterOptions } from "@/lib/domain/paging";
import { MOVEMENT_TYPES } from "@/lib/ledger/model/movements";
import { TENDERS } from "@/lib/ledger/model/tender";

// Administrators post nothing.
const STAFF_ROLES = ["branch_worker", "merchant_owner", "super_admin"] as const;
const asOptions = (choices: Choice[]) => choices.map(({ id, name }) => ({ value: id, label: name }));

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
    merchants.length > 0 && {
      name: "merchantId",
      label: t("movements.merchant"),
      options: asOptions(merchants),
      clears: ["branchId", "workerId", "keyId"],
    },
    branches.length > 0 && {
      name: "branchId",
      label: t("movements.branch"),
      options: asOptions(branches),
    },
    staff.length > 0 && {
      name: "workerId",
      label: t("transactions.worker"),
      options: asOptions(staff),
    },
    keys.length > 0 && {
      name: "keyId",
      label: t("transactions.apiKey"),
      options: asOptions(keys),
    },
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
