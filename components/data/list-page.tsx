import type { ComponentProps, ReactNode } from "react";
import { DataTable, type DataTableProps } from "./data-table";
import { FilterBar } from "./filter-bar";
import { ListFrame } from "./list-frame";
import { NoRows, type NoRowsProps } from "./no-rows";
import type { ListSort } from "./sorting";
import { type DeferredRead, StreamedList } from "./streamed";

type ListRead<T> = Pick<NoRowsProps, "filtered" | "backwards"> & {
  data: DeferredRead<{ results: readonly T[]; nextCursor: string | null }>;
  sort?: string;
};

/** A page of a list as a table, below its head, its filters and `children`. The other properties say what an empty one is without. */
export function ListPage<T extends { id: string }>({
  list: { data, sort, ...asked },
  head,
  filters,
  sorts,
  children,
  caption,
  columns,
  rowHref,
  ...none
}: Omit<NoRowsProps, "filtered" | "backwards"> &
  Pick<DataTableProps<T>, "caption" | "columns" | "rowHref"> & {
    list: ListRead<T>;
    head?: ReactNode;
    filters?: Omit<ComponentProps<typeof FilterBar>, "sort">;
    /** The orders that a reader may choose. The newest come first without a choice. */
    sorts?: Pick<ListSort, "time" | "by">;
    children?: ReactNode;
  }) {
  const fallback = sorts && `-${sorts.time}`;
  const order = fallback ? { current: sort ?? fallback, fallback } : undefined;
  const table = { caption, columns, rowHref, order, empty: <NoRows {...none} {...asked} /> };
  return (
    <ListFrame>
      {head}
      {filters && <FilterBar {...filters} sort={order && sorts && { order, ...sorts }} />}
      {children}
      <StreamedList data={data}>{({ results }) => <DataTable rows={results} {...table} />}</StreamedList>
    </ListFrame>
  );
}
