import { Prisma } from "@/lib/db/generated/client";
import type { Reach } from "@/lib/domain/actor";
import { DomainError, type ErrorCode } from "@/lib/domain/errors";
import { toLatinDigits } from "@/lib/domain/money";

/** A number of rows within a statement's text: Postgres plans better for one that it knows. Throws RangeError for no such number. */
export function rowCount(rows: number): Prisma.Sql {
  if (!Number.isSafeInteger(rows) || rows < 0) throw new RangeError(`${rows} is no number of rows`);
  return Prisma.raw(String(rows));
}

/** A text as LIKE reads it letter by letter: % and _ stand for themselves. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, "\\$&");
}

/** A search term as typed, with digits 0-9, and phone numbers without spaces. */
export function searchTerm(search: string): string {
  const term = toLatinDigits(search.trim());
  return /^\+?[\d\s]+$/.test(term) ? term.replace(/\s+/g, "") : term;
}

/**
 * Whether a folded text, such as customers.search_text, contains the term. The database folds the term in the same way
 * (search_fold): case, diacritics, hyphens, and the forms of Arabic letters make no difference.
 */
export function foldedContains(folded: Prisma.Sql, search: string): Prisma.Sql {
  return Prisma.sql`${folded} like search_pattern(${searchTerm(search)})`;
}

/** Matches a customer by the private or the public id, for Prisma's where. */
export function customerOfEitherId(id: string): { OR: [{ id: string }, { publicId: string }] } {
  return { OR: [{ id }, { publicId: id }] };
}

/** Matches a merchant by its id or by the public id of its sign-up link, for Prisma's where. */
export function merchantOfEitherId(id: string): { OR: [{ id: string }, { publicId: string }] } {
  return { OR: [{ id }, { publicId: id }] };
}

/** Matches a customer by the private or the public id, as a condition on `customers c`. */
export function eitherIdIs(id: string): Prisma.Sql {
  return Prisma.sql`(c.id = ${id}::uuid or c.public_id = ${id}::uuid)`;
}

/** The condition that any of these columns contains the text; both are folded. */
export function anyColumnContains(columns: Prisma.Sql[], text: string): Prisma.Sql {
  return Prisma.sql`(${Prisma.join(
    columns.map((column) => Prisma.sql`search_fold(${column}) like search_pattern(${text})`),
    " or ",
  )})`;
}

/** The reach as conditions on `merchant_id`: one, or none for who sees all. */
export function ofMerchant(reach: Reach): Prisma.Sql[] {
  return reach.scope === "any" ? [] : [Prisma.sql`merchant_id = ${reach.merchantId}::uuid`];
}

/** The reach as an additional condition ("and …") on `merchant_id`. */
export function andMerchant(reach: Reach): Prisma.Sql {
  const [own] = ofMerchant(reach);
  return own ? Prisma.sql`and ${own}` : Prisma.empty;
}

/**
 * The type that a movement counts for in sums: a reversal reduces the sum of what it reverses. MOVEMENT_COUNT counts
 * movements without reversals.
 */
export const MOVEMENT_KIND = Prisma.sql`coalesce(reverses_type, type)`;
export const MOVEMENT_COUNT = Prisma.sql`(type <> 'REVERSAL')::int`;

/** Whether a write violated a constraint: P2002 for a unique one, P2003 for a foreign key. */
export function isConstraintViolation(error: unknown, code: "P2002" | "P2003"): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === code;
}

/** Runs a write and throws a unique violation as a DomainError with this code for the field at `path`. */
export async function mapUniqueViolation<T>(
  code: ErrorCode,
  path: string,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (cause) {
    if (!isConstraintViolation(cause, "P2002")) throw cause;
    throw new DomainError(code, {}, [{ path, message: `errors.${code}` }], { cause });
  }
}
