import type { Page } from "@/lib/domain/points";
import type { PageQuery } from "@/lib/domain/schemas/paging";

/** The part of a findMany that reads one row more than a page, after its cursor (newest first by default). */
export function pageArgs({ cursor, limit }: PageQuery): {
  take: number;
  cursor?: { id: string };
  skip?: number;
} {
  return { take: limit + 1, ...(cursor ? { cursor: { id: cursor }, skip: 1 } : {}) };
}

/** A page out of the rows that pageArgs asked for: the extra row only says that there is a next page. */
export function pageOf<Row extends { id: string }, T>(
  rows: Row[],
  { limit }: PageQuery,
  from: (row: Row) => T,
): Page<T> {
  const shown = rows.slice(0, limit);
  return { results: shown.map(from), nextCursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
}
