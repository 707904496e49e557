import { Prisma } from "@/lib/db/generated/client";
import { rowCount } from "@/lib/db/query";
import type { PageQuery } from "@/lib/domain/paging";
import type { Page } from "@/lib/ledger/model/movements";
import type { Db } from "./client";

/** The findMany arguments that read a page from its cursor's row on, if that still matches, and one row more. */
export function pageArgs({ cursor, limit }: PageQuery): { take: number; cursor?: { id: string } } {
  return cursor ? { take: limit + 2, cursor: { id: cursor } } : { take: limit + 1 };
}

/** The page of rows read with pageArgs or pageIds. The extra row only shows that there is a next page. */
export function pageOf<Row extends { id: string }, T>(
  found: Row[],
  { cursor, limit }: PageQuery,
  toResult: (row: Row) => T,
): Page<T> {
  const rows = found.filter(({ id }) => id !== cursor);
  const shown = rows.slice(0, limit);
  return {
    results: shown.map(toResult),
    nextCursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
  };
}

/** A sort key: an expression, and the type to cast its text to. */
export type Key = { by: Prisma.Sql; type: Prisma.Sql };

/** An order of rows by its keys and finally by the id, all ascending or all descending. */
export type Order = { keys: Key[]; id: Prisma.Sql; down: boolean };

/** Sorts names case-insensitively in Unicode's root collation, like the indexes of the lists. */
export const nameKey = (column: Prisma.Sql): Key => ({
  by: Prisma.sql`${column} collate "und-x-icu"`,
  type: Prisma.sql`text`,
});

export const timeKey = (column: Prisma.Sql): Key => ({ by: column, type: Prisma.sql`timestamptz` });

/** The expressions of an ORDER BY. */
export function ordered({ keys, id, down }: Order): Prisma.Sql {
  const direction = down ? Prisma.sql`desc` : Prisma.sql`asc`;
  return Prisma.join([...keys.map(({ by }) => by), id].map((by) => Prisma.sql`${by} ${direction}`));
}

/** The rows of a list: its FROM clause, the condition of what the reader may see at all, and all its conditions. */
export type Rows = { from: Prisma.Sql; within: Prisma.Sql; where: Prisma.Sql };

/** The condition "after the row with this id", which the filter need not match; true without such a row. */
export async function afterCursor(
  db: Db,
  { from, within }: Pick<Rows, "from" | "within">,
  { keys, id, down }: Order,
  cursor: string | undefined,
): Promise<Prisma.Sql> {
  if (!cursor) return Prisma.sql`true`;
  // As text, since a JavaScript date would lose the microseconds.
  const texts = Prisma.join(keys.map(({ by }) => Prisma.sql`(${by})::text`));
  const [last] = await db.$queryRaw<{ at: (string | null)[] }[]>`
    select array[${texts}] as at from ${from} where ${id} = ${cursor}::uuid and ${within}`;
  // A row whose sort key became null has no position. Start again at the top.
  if (!last || last.at.includes(null)) return Prisma.sql`true`;
  const than = down ? Prisma.sql`<` : Prisma.sql`>`;
  const values = keys.map(({ type }, index) => Prisma.sql`${last.at[index]}::${type}`);
  const here = Prisma.join([...keys.map(({ by }) => by), id]);
  const there = Prisma.join([...values, Prisma.sql`${cursor}::uuid`]);
  // The extra condition on the first key lets Postgres use an index when the keys are from two tables.
  return Prisma.sql`${keys[0]?.by} ${than}= ${values[0]} and (${here}) ${than} (${there})`;
}

/** The ids of a page's rows in order, and one more if there is a next page. */
export async function pageIds(db: Db, rows: Rows, order: Order, query: PageQuery): Promise<string[]> {
  const after = await afterCursor(db, rows, order, query.cursor);
  const found = await db.$queryRaw<{ id: string }[]>`
    select ${order.id}::text as id from ${rows.from} where ${rows.where} and ${after}
    order by ${ordered(order)} limit ${rowCount(query.limit + 1)}`;
  return found.map(({ id }) => id);
}

/** The rows in the order of these ids. */
export function sortByIds<Row extends { id: string }>(ids: string[], rows: Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
