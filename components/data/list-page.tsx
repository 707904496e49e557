import type { ComponentProps, ReactNode } from "react";
import { DataTable, type DataTableProps } from "./data-table";
import { FilterBar } from "./filter-bar";
import { ListFrame } from "./list-frame";
import { NoRows, type NoRowsProps } from "./no-rows";
import type { SortField } from "./sorting";
import { type DeferredRead, StreamedList } from "./streamed";

/** A list that is being read, and what its address asks of it. */
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
    /** The order without another, and the fields that a reader may choose. */
    sorts?: { usual: string; by: readonly SortField[] };
    children?: ReactNode;
  }) {
  const order = sorts && { current: sort ?? sorts.usual, fallback: sorts.usual };
  const table = { caption, columns, rowHref, order, empty: <NoRows {...none} {...asked} /> };
  return (
    <ListFrame>
      {head}
      {filters && <FilterBar {...filters} sort={order && { order, by: sorts.by }} />}
      {children}
      <StreamedList data={data}>{({ results }) => <DataTable rows={results} {...table} />}</StreamedList>
    </ListFrame>
  );
}
