/** A list's order and the one it has by itself: a field's name, with a minus before it when it runs downwards. */
export type ListOrder = { current: string; fallback: string };

const fieldOf = (sort: string) => sort.replace(/^-/, "");

/** For the head of a column: which way it is sorted, if it is. */
export function ariaSort(field: string | undefined, order: ListOrder | undefined) {
  if (!order || field !== fieldOf(order.current)) return undefined;
  return order.current === field ? "ascending" : "descending";
}

/** The order after a press on a column's head: up, down, and back to the list's own. */
export function nextSort(field: string, { current, fallback }: ListOrder): string {
  const other = current === field ? `-${field}` : field;
  if (field === fieldOf(fallback)) return field === fieldOf(current) ? other : fallback;
  return current === `-${field}` ? fallback : other;
}
