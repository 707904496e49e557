import { useLocale, useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { type Column, DataTable } from "@/components/data/data-table";
import { Money } from "@/components/data/money";
import type { ListOrder } from "@/components/data/order";
import { RelativeTime } from "@/components/data/relative-time";
import { formatPoints } from "@/lib/domain/money";
import type { LoggedMovement } from "@/lib/domain/movements";
import type { Locale } from "@/lib/domain/roles";
import { ActorName, CustomerName, MovementSprite, MovementTypeBadge, SaleCell } from "./movement-cells";

type Part = "customer" | "merchant" | "by" | "balance" | "sale";

/** Movements as a list; `parts` are the columns besides type, amount, branch and time. */
export function MovementTable({
  movements,
  base,
  parts,
  order,
  receipt,
  empty,
}: {
  movements: readonly LoggedMovement[];
  /** The panel's path, "/admin" or "/merchant": each row links to its movement there. */
  base: string;
  parts: readonly Part[];
  /** The current order, if the list can be sorted. */
  order?: ListOrder;
  /** The button that prints a movement's receipt, if the list has one a row. */
  receipt?: (movement: LoggedMovement) => ReactNode;
  empty: ReactNode;
}) {
  const t = useTranslations("movements");
  const locale = useLocale() as Locale;
  const has = (part: Part) => parts.includes(part);
  const type: Column<LoggedMovement> = {
    key: "type",
    header: t("type"),
    ...(has("customer") ? { phone: "line" } : { primary: true }),
    cell: (movement) => (
      <MovementTypeBadge sprite type={movement.type} reversed={movement.reversedBy !== null} />
    ),
  };
  const columns: (Column<LoggedMovement> | false)[] = [
    has("customer") && {
      key: "customer",
      header: t("customer"),
      primary: true,
      cell: (movement) => <CustomerName movement={movement} />,
    },
    type,
    {
      key: "amount",
      header: t("amount"),
      align: "end",
      phone: "aside",
      cell: (movement) => <Money points={movement.points} rate={movement.rate} signed layout="stack" />,
    },
    has("sale") && {
      key: "sale",
      header: t("sale"),
      phone: "line",
      cell: (movement) => <SaleCell movement={movement} />,
    },
    has("balance") && {
      key: "balance",
      header: t("balanceAfter"),
      align: "end",
      wide: has("customer"),
      cell: (movement) => <bdi>{formatPoints(movement.balanceAfter, locale)}</bdi>,
    },
    has("merchant") && {
      key: "merchant",
      header: t("merchant"),
      phone: "line",
      className: "md:whitespace-nowrap",
      cell: (movement) => <bdi>{movement.merchant.businessName}</bdi>,
    },
    {
      key: "branch",
      header: t("branch"),
      phone: "line",
      cell: (movement) => <bdi>{movement.branch?.name}</bdi>,
    },
    has("by") && {
      key: "by",
      header: t("by"),
      wide: true,
      cell: (movement) => <ActorName movement={movement} />,
    },
    {
      key: "time",
      header: t("time"),
      sort: "time",
      align: "end",
      phone: "line",
      cell: (movement) => <RelativeTime date={movement.createdAt} />,
    },
    receipt !== undefined && {
      key: "receipt",
      header: t("receipt"),
      align: "end",
      actions: true,
      cell: receipt,
    },
  ];
  return (
    <>
      <MovementSprite movements={movements} />
      <DataTable
        caption={t("caption")}
        columns={columns.filter((column) => column !== false)}
        rows={movements}
        order={order}
        rowKey={(movement) => movement.id}
        rowHref={(movement) => `${base}/transactions/${movement.id}`}
        empty={empty}
      />
    </>
  );
}
