"use client";

import { CopyIcon, ListFilterIcon, ReceiptTextIcon } from "lucide-react";
import Link from "next/link";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { RowMenu } from "@/components/data/action-menu";
import { useCopyAndTell } from "@/components/data/copy-button";
import { type Column, DataTable } from "@/components/data/data-table";
import { Money } from "@/components/data/money";
import type { ListOrder } from "@/components/data/order";
import { RelativeTime } from "@/components/data/relative-time";
import { useUrlFilters } from "@/components/data/url-filters";
import { DropdownMenuItem } from "@/components/ui/dropdown-menu";
import { qatarDay } from "@/lib/domain/time";
import type { MovementType } from "@/lib/ledger/model/movements";
import type { Tender } from "@/lib/ledger/model/tender";
import { MovementTypeBadge, PocketsLine } from "./movement-cells";

export type MovementPart = "customer" | "merchant" | "by" | "balance" | "sale";

/** The fields of a movement that cells show, and no others: a browser gets each row a second time as data. */
export type MovementRow = {
  id: string;
  type: MovementType;
  points: number;
  /** Dirhams per point. */
  rate: number;
  /** Milliseconds since 1970. */
  at: number;
  reversed?: true;
  branch?: string;
  customer?: string;
  /** For those who may narrow the log to a customer. */
  customerId?: string;
  merchant?: string;
  by?: string;
  /** The balance after it, and what a point of it was worth in dirhams. */
  balance?: [points: number, rate: number];
  tender?: Tender;
  bill?: string;
  /** Points of the paid and the bonus pocket, where a movement touches both. */
  pockets?: [paid: number, bonus: number];
};

/** The headings above the movements of each day: the day's name, and its sum in QAR if the sum is known. */
export type DayHeads = Record<string, { name: string; sum?: string }>;

function MenuEntries({ row: { id, customerId, customer }, base }: { row: MovementRow; base: string }) {
  const t = useTranslations("movements");
  const copy = useCopyAndTell();
  const { path, hrefWith } = useUrlFilters();
  const log = `${base}/transactions`;
  return (
    <>
      <DropdownMenuItem asChild>
        <Link href={`${log}/${id}`}>
          <ReceiptTextIcon aria-hidden /> {t("open")}
        </Link>
      </DropdownMenuItem>
      {customerId && (
        <DropdownMenuItem asChild>
          <Link href={path === log ? hrefWith({ customerId }) : `${log}?customerId=${customerId}`}>
            <ListFilterIcon aria-hidden /> {t("onlyOf", { name: customer ?? "" })}
          </Link>
        </DropdownMenuItem>
      )}
      <DropdownMenuItem onSelect={() => copy(id)}>
        <CopyIcon aria-hidden /> {t("copyReference")}
      </DropdownMenuItem>
    </>
  );
}

type MovementRowsProps = {
  rows: readonly MovementRow[];
  base: string;
  parts: readonly MovementPart[];
  order?: ListOrder;
  days?: DayHeads;
  receipts?: Record<string, ReactNode>;
};

/** The rows of MovementTable. */
export function MovementRows({ rows, base, parts, order, days, receipts }: MovementRowsProps) {
  const t = useTranslations("movements");
  const has = (part: MovementPart) => parts.includes(part);
  const columns: (Column<MovementRow> | false)[] = [
    has("customer") && {
      header: t("customer"),
      primary: true,
      cell: ({ customer }) => <bdi>{customer}</bdi>,
    },
    {
      header: t("type"),
      ...(has("customer") ? { phone: "line" } : { primary: true }),
      cell: ({ type, reversed }) => <MovementTypeBadge type={type} reversed={reversed} />,
    },
    {
      header: t("amount"),
      align: "end",
      phone: "aside",
      cell: ({ points, rate }) => <Money points={points} rate={rate} signed layout="stack" />,
    },
    has("sale") && { header: t("sale"), wide: true, cell: (row) => <Sale row={row} /> },
    has("balance") && {
      header: t("balanceAfter"),
      align: "end",
      wide: true,
      extra: has("by"),
      cell: ({ balance = [0, 0] }) => <Money points={balance[0]} rate={balance[1]} layout="stack" />,
    },
    has("merchant") && {
      header: t("merchant"),
      phone: "line",
      cell: ({ merchant }) => <bdi>{merchant}</bdi>,
    },
    {
      header: t(has("by") ? "branchAndStaff" : "branch"),
      phone: "line",
      className: "least names",
      cell: ({ branch, by }) => (
        <>
          {branch && <bdi>{branch}</bdi>}
          {by && (
            <span className="staff">
              <bdi>{by}</bdi>
            </span>
          )}
        </>
      ),
    },
    {
      header: t("time"),
      ...(order && { sort: "time" }),
      align: "end",
      phone: "line",
      ...(has("merchant") && { className: "least" }),
      cell: ({ at }) => <RelativeTime date={at} />,
    },
    receipts !== undefined && {
      header: t("receipt"),
      align: "end",
      actions: true,
      cell: ({ id }) => receipts[id],
    },
    has("customer") && {
      header: t("actions"),
      actions: true,
      cell: (row) => (
        <RowMenu label={t("actionsOf", { name: row.customer ?? "" })}>
          <MenuEntries row={row} base={base} />
        </RowMenu>
      ),
    },
  ];
  return (
    <DataTable
      caption={t("caption")}
      columns={columns}
      rows={rows}
      order={order}
      rowHref={({ id }) => `${base}/transactions/${id}`}
      groups={
        days && {
          of: ({ at }) => qatarDay(new Date(at)),
          head: (day) => (
            <>
              <span>{days[day]?.name}</span>
              {days[day]?.sum && <bdi>{days[day].sum}</bdi>}
            </>
          ),
        }
      }
      empty={null}
    />
  );
}

function Sale({ row: { tender, bill, pockets, rate } }: { row: MovementRow }) {
  const t = useTranslations("movements");
  if (!tender && !bill && !pockets) return null;
  return (
    <span className="sale">
      {(tender || bill) && (
        <span>
          {tender && t(`tenders.${tender}`)}
          {tender && bill && " · "}
          {bill && <bdi>{bill}</bdi>}
        </span>
      )}
      {pockets && (
        <span className="text-muted-foreground">
          <PocketsLine paid={pockets[0]} bonus={pockets[1]} rate={rate} />
        </span>
      )}
    </span>
  );
}
