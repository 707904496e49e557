import Link from "next/link";
import type { ReactNode } from "react";
import { cn } from "@/components/ui/utils";
import { ariaSort, type ListOrder } from "./order";
import { SortLink } from "./sorting";

export type Column<T> = {
  key: string;
  header: string;
  cell: (row: T) => ReactNode;
  /** Numbers are aligned at the end. */
  align?: "start" | "end";
  /** The row's name: the card's heading on a phone, and the link if there is `rowHref`. */
  primary?: boolean;
  /** A column of buttons: no label on a phone, stacked above the row's link. */
  actions?: boolean;
  /** The field that the column's header sorts by. */
  sort?: string;
  /** Hidden on a phone. */
  wide?: boolean;
  /** The place on a phone, without a label: opposite the row's name, or in the small line below it. */
  phone?: "aside" | "line";
  className?: string;
};

export type DataTableProps<T> = {
  /** What the table holds, for screen readers. */
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string;
  rowHref?: (row: T) => string;
  /** The current order. With it, the headers of columns with `sort` sort the list. */
  order?: ListOrder;
  /** Shown instead of a table without rows: an EmptyState. */
  empty: ReactNode;
  className?: string;
};

/** A list: a table from 768 px, one card per row below. It has no state, so server and client components can use it. */
export function DataTable<T>({
  caption,
  columns,
  rows,
  rowKey,
  rowHref,
  order,
  empty,
  className,
}: DataTableProps<T>) {
  const frame = "overflow-hidden rounded-xl border bg-card shadow-card";
  if (rows.length === 0) return <div className={cn(frame, className)}>{empty}</div>;
  return (
    <div className={cn("relative md:overflow-x-auto", `max-md:contents ${frame}`, className)}>
      <table className="w-full text-sm max-md:block">
        <caption className="sr-only">{caption}</caption>
        <thead className="bg-muted/60 max-md:sr-only">
          <tr className="border-b">
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                aria-sort={ariaSort(column.sort, order)}
                className={cn(
                  "h-10 whitespace-nowrap px-(--cell-x) font-medium text-muted-foreground text-xs",
                  column.align === "end" ? "text-end" : "text-start",
                )}
              >
                <Head column={column} order={order} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="max-md:flex max-md:flex-col max-md:gap-3">
          {rows.map((row) => (
            <tr key={rowKey(row)} className="row">
              {columns.map((column) => (
                <Cell key={column.key} column={column} row={row} href={rowHref?.(row)} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Head<T>({ column: { actions, header, sort }, order }: { column: Column<T>; order?: ListOrder }) {
  if (actions) return <span className="sr-only">{header}</span>;
  if (!sort || !order) return header;
  return (
    <>
      <span className="md:hidden">{header}</span>
      <span className="max-md:hidden">
        <SortLink field={sort} order={order}>
          {header}
        </SortLink>
      </span>
    </>
  );
}

function Cell<T>({ column, row, href }: { column: Column<T>; row: T; href?: string }) {
  const content = column.cell(row);
  const labelled = !column.primary && !column.actions && !column.phone;
  return (
    <td className={classOf(column, labelled)} data-label={labelled ? column.header : undefined}>
      {column.primary && href ? (
        <Link href={href} prefetch={false}>
          {content}
        </Link>
      ) : labelled ? (
        <span>{content}</span>
      ) : (
        content
      )}
    </td>
  );
}

/** The classes of a cell, which app/globals.css describes. */
function classOf({ align, primary, phone, actions, wide, className }: Column<never>, labelled: boolean) {
  return [
    "cell",
    align === "end" && "cell-end",
    primary && "cell-name",
    labelled && "cell-labelled",
    phone && `cell-${phone}`,
    actions && "cell-actions",
    wide && "cell-wide",
    className,
  ]
    .filter(Boolean)
    .join(" ");
}
