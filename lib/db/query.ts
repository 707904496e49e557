import { Prisma } from "@/lib/db/generated/client";
import type { Reach } from "@/lib/domain/actor";
import { DomainError, type ErrorCode } from "@/lib/domain/errors";
import { toLatinDigits } from "@/lib/domain/money";

/** A text as LIKE reads it letter by letter: % and _ stand for themselves. */
export function literal(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}

/** A search as customers' search_text has it: digits 0-9, and a phone number without spaces. */
export function searchTerm(search: string): string {
  const term = toLatinDigits(search.trim());
  return /^\+?[\d\s]+$/.test(term) ? term.replace(/\s+/g, "") : term;
}

/** The LIKE pattern that finds a search in customers' search_text, once it is in lower case: compare with lower(…). */
export function searchPattern(search: string): string {
  return `%${literal(searchTerm(search))}%`;
}

/** The customer whom the private or the public id names, for Prisma's where. */
export function customerOfEitherId(id: string): { OR: [{ id: string }, { publicId: string }] } {
  return { OR: [{ id }, { publicId: id }] };
}

/** The customer whom the private or the public id names, as a condition on `customers c`. */
export function eitherIdIs(id: string): Prisma.Sql {
  return Prisma.sql`(c.id = ${id}::uuid or c.public_id = ${id}::uuid)`;
}

/** The condition that any of these columns holds the text, whatever the case. */
export function anyHolds(columns: Prisma.Sql[], text: string): Prisma.Sql {
  const pattern = `%${literal(text)}%`;
  return Prisma.sql`(${Prisma.join(
    columns.map((column) => Prisma.sql`${column} ilike ${pattern}`),
    " or ",
  )})`;
}

/** The reach as a condition on `merchant_id`, to stand after another condition. */
export function ofMerchant(reach: Reach): Prisma.Sql {
  return reach.scope === "any" ? Prisma.empty : Prisma.sql`and merchant_id = ${reach.merchantId}::uuid`;
}

/**
 * The type under which a movement counts in sums: a reversal takes its points from what it reverses. How many there were
 * counts the originals alone (MOVEMENT_COUNT).
 */
export const MOVEMENT_KIND = Prisma.sql`coalesce(reverses_type, type)`;
export const MOVEMENT_COUNT = Prisma.sql`(type <> 'REVERSAL')::int`;

/** Whether the database refused a write: P2002 for what must be unique, P2003 for a row that is named but absent. */
export function wasRefused(error: unknown, code: "P2002" | "P2003"): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === code;
}

/** Runs a write; what the database refuses as a duplicate is thrown as the given code, on its field when one is named. */
export async function orTaken<T>(code: ErrorCode, path: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (cause) {
    if (!wasRefused(cause, "P2002")) throw cause;
    throw new DomainError(code, {}, [{ path, message: `errors.${code}` }], { cause });
  }
}
