/** A list's current order and its default order: a field's name, with a minus before it for descending. */
export type ListOrder = { current: string; fallback: string };

const fieldOf = (sort: string) => sort.replace(/^-/, "");

/** The `aria-sort` of a column's header; undefined if the list is not sorted by it. */
export function ariaSort(field: string | undefined, order: ListOrder | undefined) {
  if (!order || field !== fieldOf(order.current)) return undefined;
  return order.current === field ? "ascending" : "descending";
}

/** The order after a click on a column's header: ascending, descending, then the default order. */
export function nextSort(field: string, { current, fallback }: ListOrder): string {
  const toggled = current === field ? `-${field}` : field;
  if (field === fieldOf(fallback)) return field === fieldOf(current) ? toggled : fallback;
  return current === `-${field}` ? fallback : toggled;
}
