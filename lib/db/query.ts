import { emailSchema } from "@/lib/accounts/model/account";
import { parseCustomerCode } from "@/lib/customers/model/customer-code";
import { Prisma } from "@/lib/db/generated/client";
import type { Reach } from "@/lib/domain/actor";
import { normalisePhone } from "@/lib/domain/contact";
import { DomainError, type ErrorCode } from "@/lib/domain/errors";
import { isId } from "@/lib/domain/is-id";
import { MERCHANT_REF, type MerchantRef } from "@/lib/domain/localized-names";
import { toLatinDigits } from "@/lib/domain/money";
import { byName, type Choice } from "@/lib/domain/paging";
import { type Locale, localeOr } from "@/lib/domain/roles";
import type { Db, Tx } from "./client";

// A longer select is not usable; the search of a list finds the rest.
const MOST = 500;

/** The merchants that a select offers, the approved ones unless asked for others, and the one that is chosen already. */
export async function merchantChoices(
  db: Db,
  chosen: string | undefined,
  where: Prisma.MerchantWhereInput = { status: "approved" },
): Promise<MerchantRef[]> {
  const offered = await db.merchant.findMany({
    where,
    orderBy: [{ businessName: "asc" }, { id: "asc" }],
    take: MOST,
    select: MERCHANT_REF,
  });
  if (!chosen || offered.some(({ id }) => id === chosen)) return offered;
  return [...offered, ...(await db.merchant.findMany({ where: { id: chosen }, select: MERCHANT_REF }))];
}

/** The users that a select offers, by name. */
export async function userChoices(db: Db, where: Prisma.UserWhereInput): Promise<Choice[]> {
  const people = await db.user.findMany({
    where,
    orderBy: [{ firstName: "asc" }, { lastName: "asc" }, { id: "asc" }],
    take: MOST,
    select: { id: true, firstName: true, lastName: true },
  });
  return byName(people, ({ firstName, lastName }) => `${firstName} ${lastName}`);
}

/** Throws merchant_not_found for an id of none, as an administrator may name one. */
export async function assertMerchant(db: Db | Tx, id: string): Promise<void> {
  if ((await db.merchant.count({ where: { id } })) === 0) throw new DomainError("merchant_not_found");
}

/** Throws branch_not_found for a branch that is not such a one. No branch at all is fine. */
export async function assertBranch(
  tx: Tx,
  id: string | null | undefined,
  where: Prisma.BranchWhereInput,
): Promise<void> {
  if (id && (await tx.branch.count({ where: { ...where, id } })) === 0) throw branchNotFound();
}

export const branchNotFound = () =>
  new DomainError("branch_not_found", {}, [{ path: "branchId", message: "errors.branch_not_found" }]);

/** A number of rows in a statement's text, for which Postgres plans better. Throws RangeError for another number. */
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

/** Whether a folded text contains the term without case, diacritics, hyphens, forms of Arabic letters. */
function foldedContains(folded: Prisma.Sql, search: string): Prisma.Sql {
  const term = searchTerm(search);
  const whole = Prisma.sql`${folded} like search_pattern(${term})`;
  const host = term.indexOf("@") + 1;
  if (host <= 1 || host === term.length) return whole;
  // Most e-mails share their hosts: the index looks for what comes before, and IS TRUE hides the rest from it.
  return Prisma.sql`${folded} like search_pattern(${term.slice(0, host)}) and (${whole}) is true`;
}

// Letters, spaces, apostrophes and hyphens: a part of a name.
const OF_A_NAME = /^[\p{L}\p{M}\s'-]{4,}$/u;
// Common hosts of e-mails: an index would find half of all rows, while a custom plan stops after the first few.
const OF_MANY = "gmail.com hotmail.com outlook.com yahoo.com icloud.com live.com proton.me".split(" ");

/** With LIKE's operator, so that a part of a name gets a named statement: docs/decisions/statements.md. */
function foldedContainsHere(folded: Prisma.Sql, search: string): Prisma.Sql {
  const term = search.trim().toLowerCase();
  if (!OF_A_NAME.test(term) || OF_MANY.some((host) => host.includes(term)))
    return foldedContains(folded, search);
  // In a subquery, because a cached plan would fold the term again for every row.
  return Prisma.sql`${folded} operator(pg_catalog.~~) (select search_pattern(${searchTerm(search)}))`;
}

/** A term as a whole, as a condition on `customers c`: id, e-mail, or within one merchant phone or card code. */
function whole(search: string, merchantId: string | undefined): Prisma.Sql | null {
  const term = search.trim().toLowerCase();
  if (isId(term)) return Prisma.sql`c.public_id = ${term}::uuid`;
  if (emailSchema.safeParse(term).success) return Prisma.sql`c.email = ${term}`;
  if (!merchantId) return null;
  const phone = normalisePhone(term);
  if (phone) return Prisma.sql`c.phone = ${phone}`;
  const code = parseCustomerCode(term);
  return code === null ? null : Prisma.sql`c.code = ${code}`;
}

/**
 * The condition of a search on `customers c`, of one merchant or all: an exact match of card id, code, e-mail or phone,
 * and only without one, texts that contain the term. A complete e-mail is not searched as text, because the letters that
 * most e-mails share match nearly all customers.
 */
export async function customersNamed(
  db: Db,
  merchantId: string | undefined,
  search: string,
): Promise<Prisma.Sql> {
  const all = whole(search, merchantId);
  if (all) {
    const own = merchantId ? Prisma.sql`c.merchant_id = ${merchantId}::uuid and` : Prisma.empty;
    const found = await db.$queryRaw<unknown[]>`
      select 1 from customers c where ${own} ${all} and c.status <> 'erased' limit 1`;
    if (found.length > 0) return all;
  }
  const text = Prisma.sql`c.search_text`;
  return merchantId ? foldedContainsHere(text, search) : foldedContains(text, search);
}

/** A condition on `customers c` for who sees contacts masked: parts of a contact would tell the rest. */
export function nameOrWhole(search: string): Prisma.Sql {
  const term = search.trim();
  const inName = foldedContainsHere(Prisma.sql`search_fold(c.full_name)`, term);
  return Prisma.sql`(${inName} or lower(c.email) = ${term.toLowerCase()} or c.phone = ${normalisePhone(term)}
    or c.public_id::text = ${term.toLowerCase()} or c.code = ${parseCustomerCode(term)})`;
}

/** Matches a customer or a merchant by its id or its public id, for Prisma's where. */
export function ofEitherId(id: string): { OR: [{ id: string }, { publicId: string }] } {
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

/** The type that a movement counts for in sums: a reversal, which MOVEMENT_COUNT leaves out, for its original. */
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

/** The active owners of a merchant, the oldest account first, with the language of their e-mails. */
export async function activeOwners(
  tx: Tx,
  merchantId: string,
): Promise<{ email: string; firstName: string; locale: Locale }[]> {
  const owners = await tx.user.findMany({
    where: { merchantId, role: "merchant_owner", status: "active" },
    orderBy: { createdAt: "asc" },
    select: { email: true, firstName: true, locale: true },
  });
  return owners.map((owner) => ({ ...owner, locale: localeOr(owner.locale) }));
}
