import { Prisma } from "./generated/client";

/** A text as LIKE reads it letter by letter: % and _ stand for themselves. */
function literal(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}

/** The condition that any of these columns holds the text, whatever the case. */
export function anyHolds(columns: Prisma.Sql[], text: string): Prisma.Sql {
  const pattern = `%${literal(text)}%`;
  return Prisma.sql`(${Prisma.join(
    columns.map((column) => Prisma.sql`${column} ilike ${pattern}`),
    " or ",
  )})`;
}
