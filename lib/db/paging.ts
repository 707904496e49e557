import { Prisma } from "@/lib/db/generated/client";
import type { Page } from "@/lib/domain/movements";
import type { PageQuery } from "@/lib/domain/paging";
import type { Db } from "./client";

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

/** What rows are sorted by: an expression, and the type that its text is read back as. */
export type Key = { by: Prisma.Sql; type: Prisma.Sql };

/** An order of rows: by its keys and at last by the id, all of them upwards or all downwards. */
export type Order = { keys: Key[]; id: Prisma.Sql; down: boolean };

/** Names as people look for them, small and capital, Latin and Arabic: the lists' indexes are in this very order. */
export const nameKey = (column: Prisma.Sql): Key => ({
  by: Prisma.sql`${column} collate "und-x-icu"`,
  type: Prisma.sql`text`,
});

export const timeKey = (column: Prisma.Sql): Key => ({ by: column, type: Prisma.sql`timestamptz` });

/** The order as an ORDER BY has it. */
export function ordered({ keys, id, down }: Order): Prisma.Sql {
  const way = down ? Prisma.sql`desc` : Prisma.sql`asc`;
  return Prisma.join([...keys.map(({ by }) => by), id].map((by) => Prisma.sql`${by} ${way}`));
}

/** The rows that a list is made of: what stands after FROM, and the conditions. */
export type Rows = { from: Prisma.Sql; where: Prisma.Sql };

/** The condition "after the row with this id"; always true without a cursor, or when it names no row within the list. */
export async function afterCursor(
  db: Db,
  { from, where }: Rows,
  { keys, id, down }: Order,
  cursor: string | undefined,
): Promise<Prisma.Sql> {
  if (!cursor) return Prisma.sql`true`;
  // Text, since a JavaScript date would drop the microseconds.
  const texts = Prisma.join(keys.map(({ by }) => Prisma.sql`(${by})::text`));
  const [last] = await db.$queryRaw<{ at: string[] }[]>`
    select array[${texts}] as at from ${from} where ${id} = ${cursor}::uuid and ${where}`;
  if (!last) return Prisma.sql`true`;
  const than = down ? Prisma.sql`<` : Prisma.sql`>`;
  const values = keys.map(({ type }, index) => Prisma.sql`${last.at[index]}::${type}`);
  const here = Prisma.join([...keys.map(({ by }) => by), id]);
  const there = Prisma.join([...values, Prisma.sql`${cursor}::uuid`]);
  // Said of the first key alone, an index of its table begins there: keys of two tables are compared row by row only.
  return Prisma.sql`${keys[0]?.by} ${than}= ${values[0]} and (${here}) ${than} (${there})`;
}

/** The ids of a page's rows in their order, and one more where there is a next page. */
export async function pageIds(db: Db, rows: Rows, order: Order, query: PageQuery): Promise<string[]> {
  const after = await afterCursor(db, rows, order, query.cursor);
  const found = await db.$queryRaw<{ id: string }[]>`
    select ${order.id}::text as id from ${rows.from} where ${rows.where} and ${after}
    order by ${ordered(order)} limit ${query.limit + 1}`;
  return found.map(({ id }) => id);
}

/** Rows in the order of these ids. */
export function sortByIds<Row extends { id: string }>(ids: string[], rows: Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
