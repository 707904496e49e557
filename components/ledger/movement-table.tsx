import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { type Column, DataTable, type ListOrder, Money, RelativeTime } from "@/components/data";
import { formatPoints } from "@/lib/domain/money";
import type { LoggedMovement } from "@/lib/domain/movements";
import type { Locale } from "@/lib/domain/roles";
import { ActorName, CustomerName, MovementTypeBadge } from "./movement-cells";

type Part = "customer" | "merchant" | "by" | "balance";

/** Movements as a list; `parts` are the columns beside type, amount, branch and time. */
export function MovementTable({
  movements,
  base,
  parts,
  order,
  empty,
}: {
  movements: readonly LoggedMovement[];
  /** The panel's path, "/admin" or "/merchant": each row leads to its movement there. */
  base: string;
  parts: readonly Part[];
  /** Where the list can be sorted. */
  order?: ListOrder;
  empty: ReactNode;
}) {
  const t = useTranslations("movements");
  const locale = useLocale() as Locale;
  const has = (part: Part) => parts.includes(part);
  const type: Column<LoggedMovement> = {
    key: "type",
    header: t("type"),
    ...(has("customer") ? { phone: "line" } : { primary: true }),
    cell: (one) => <MovementTypeBadge type={one.type} reversed={one.reversedBy !== null} />,
  };
  const columns: (Column<LoggedMovement> | false)[] = [
    has("customer") && {
      key: "customer",
      header: t("customer"),
      primary: true,
      cell: (one) => <CustomerName movement={one} />,
    },
    type,
    {
      key: "amount",
      header: t("amount"),
      align: "end",
      phone: "aside",
      cell: (one) => (
        <Money points={one.points} rate={one.rate} signed layout="stack" className="items-end" />
      ),
    },
    has("balance") && {
      key: "balance",
      header: t("balanceAfter"),
      align: "end",
      wide: has("customer"),
      cell: (one) => <bdi>{formatPoints(one.balanceAfter, locale)}</bdi>,
    },
    has("merchant") && {
      key: "merchant",
      header: t("merchant"),
      phone: "line",
      className: "md:whitespace-nowrap",
      cell: (one) => <bdi>{one.merchant.businessName}</bdi>,
    },
    { key: "branch", header: t("branch"), phone: "line", cell: (one) => <bdi>{one.branch?.name}</bdi> },
    has("by") && { key: "by", header: t("by"), wide: true, cell: (one) => <ActorName movement={one} /> },
    {
      key: "time",
      header: t("time"),
      sort: "time",
      align: "end",
      phone: "line",
      cell: (one) => <RelativeTime date={one.createdAt} />,
    },
  ];
  return (
    <DataTable
      caption={t("caption")}
      columns={columns.filter((column) => column !== false)}
      rows={movements}
      order={order}
      rowKey={(one) => one.id}
      rowHref={(one) => `${base}/transactions/${one.id}`}
      empty={empty}
    />
  );
}
