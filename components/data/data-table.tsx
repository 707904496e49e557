import Link from "next/link";
import { Fragment, type ReactNode } from "react";
import { ariaSort, type ListOrder } from "./order";
import { SortLink } from "./sorting";

export type Column<T> = {
  /** Unique in its table. */
  header: string;
  cell: (row: T) => ReactNode;
  align?: "start" | "end";
  /** The row's name: the first line of a narrow row, and the link if there is `rowHref`. */
  primary?: boolean;
  /** A column of buttons, above the row's link. */
  actions?: boolean;
  /** A column of checkboxes, above the row's link. */
  pick?: boolean;
  sort?: string;
  /** Shown in a table only. */
  wide?: boolean;
  /** Shown in a wide table only, from 1120 px. A narrower list hides the column. */
  extra?: boolean;
  /** In a narrow row: "aside" opposite the name, "line" (default) small below it, "below" in whole lines. */
  phone?: "aside" | "line" | "below";
  className?: string;
};

export type DataTableProps<T> = {
  caption: string;
  /** False is a column that this reader does not get. */
  columns: readonly (Column<T> | false)[];
  rows: readonly T[];
  rowHref?: (row: T) => string;
  /** The current order. With it, the headers of columns with `sort` sort the list. */
  order?: ListOrder;
  /** Groups narrow rows. `of` answers the group of a row, `head` the heading above the first row of a group. */
  groups?: { of: (row: T) => string; head: (group: string) => ReactNode };
  empty: ReactNode;
};

/** A table from 900 px of its container, rows below that. Without state. app/lists.css has its classes. */
export function DataTable<T extends { id: string }>({
  caption,
  columns: all,
  rows,
  rowHref,
  order,
  groups,
  empty,
}: DataTableProps<T>) {
  if (rows.length === 0) return <div className="surface">{empty}</div>;
  const columns = all.filter((column) => column !== false);
  const groupOf = (row: T | undefined) => (groups && row ? groups.of(row) : null);
  return (
    <div className="list">
      <div className="surface">
        <table className="rows">
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <th
                  key={column.header}
                  scope="col"
                  aria-sort={ariaSort(column.sort, order)}
                  className={headClass(column)}
                >
                  <Head column={column} order={order} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => {
              const group = groupOf(row);
              return (
                <Fragment key={row.id}>
                  {groups && group !== null && group !== groupOf(rows[index - 1]) && (
                    <tr className="day">
                      <td colSpan={columns.length}>{groups.head(group)}</td>
                    </tr>
                  )}
                  <tr>
                    {columns.map((column) => (
                      <Cell key={column.header} column={column} row={row} href={rowHref?.(row)} />
                    ))}
                  </tr>
                </Fragment>
              );
            })}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function Head<T>({ column, order }: { column: Column<T>; order?: ListOrder }) {
  const { actions, pick, header, sort } = column;
  if (actions || pick) return <span className="sr-only">{header}</span>;
  if (!sort || !order) return header;
  return (
    <SortLink field={sort} order={order}>
      {header}
    </SortLink>
  );
}

function Cell<T>({ column, row, href }: { column: Column<T>; row: T; href?: string }) {
  const content = column.cell(row);
  return (
    <td className={cellClass(column)}>
      {column.primary && href ? (
        <Link href={href} prefetch={false}>
          {content}
        </Link>
      ) : (
        content
      )}
    </td>
  );
}

const joined = (...names: (string | false | undefined)[]) => names.filter(Boolean).join(" ") || undefined;

const headClass = ({ align, pick, extra }: Column<never>) =>
  joined(align === "end" && "num", pick && "pick", extra && "extra");

function cellClass({ align, primary, phone, actions, pick, wide, extra, className }: Column<never>) {
  return joined(
    align === "end" && "num",
    primary ? "name" : actions ? "acts" : pick ? "pick" : wide ? "wide" : (phone ?? "line"),
    extra && "extra",
    className,
  );
}
