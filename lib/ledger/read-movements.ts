import { z } from "zod";
import { auditExport } from "@/lib/audit/audit";
import type { Db } from "@/lib/db/client";
import type { ReachContext } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import { pageOf } from "@/lib/db/paging";
import { assertMerchant, merchantChoices, ofEitherId, rowCount, userChoices } from "@/lib/db/query";
import { readPart } from "@/lib/db/replica";
import { type Actor, merchantWhere, type StaffActor, targetMerchantId } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { idSchema } from "@/lib/domain/ids";
import { isId } from "@/lib/domain/is-id";
import { BRANCH_REF, branchName, merchantName } from "@/lib/domain/localized-names";
import { cashValue } from "@/lib/domain/money";
import { byName, type FilterOptions } from "@/lib/domain/paging";
import type { Locale } from "@/lib/domain/roles";
import { qatarDay, qatarTimestamp } from "@/lib/domain/time";
import { csvTable } from "@/lib/files/csv";
import { customerNameOf, reasonOf, translator } from "@/lib/i18n/translate";
import { operation } from "@/lib/operations/operation";
import { type LedgerDay, ledgerCheckSchema } from "./model/ledger-check";
import {
  findRedemptionsSchema,
  type MovementFilter,
  movementFilterSchema,
  movementsSchema,
  recentSchema,
  statementSchema,
} from "./model/movement-queries";
import type { LoggedMovement, Page } from "./model/movements";
import { assertFilterAllowed, type Matching, matching, matchingPage, withinReach } from "./movement-filter";
import { movementRows } from "./movement-rows";
import { salesOf } from "./movement-search";

const DAYS = 31;

/** The heads mailed in the last days, newest first, for an owner to compare. Throws merchant_not_found. */
export const ledgerDays = operation({
  permission: "ledger.verify",
  input: ledgerCheckSchema,
  errors: ["merchant_not_found"],
  readOnly: true,
  run: async (ctx, query): Promise<LedgerDay[]> => {
    const merchantId = targetMerchantId(ctx.reach, query.merchantId);
    await assertMerchant(ctx.db, merchantId);
    const mails = await ctx.db.sealMail.findMany({
      where: { merchantId },
      orderBy: { day: "desc" },
      take: DAYS,
      select: { day: true, seal: { select: { total: true, head: true } } },
    });
    return mails.map(({ day, seal }) => ({
      day: day.toISOString().slice(0, 10),
      total: Number(seal.total),
      head: Buffer.from(seal.head).toString("hex"),
    }));
  },
});

const EXPORT_ROWS = 1000;

/** The actor's movements by filter, newest first unless sorted. An unknown cursor starts at the top. */
export const listMovements = operation({
  permission: "movements.read",
  keyScope: "movements.read",
  input: movementsSchema,
  readOnly: true,
  mayLag: true,
  run: async (ctx, query): Promise<Page<LoggedMovement>> => {
    const { cursor, limit, sort, ...filter } = query;
    const match = await matching(ctx, filter);
    const oldestFirst = sort === "time";
    const at = { cursor: isId(cursor) ? cursor : undefined, oldestFirst };
    const read = (of: Matching) =>
      movementRows(ctx.db, matchingPage(of, limit + 1, at), ctx.actor, oldestFirst);
    const rows =
      (!at.cursor && !oldestFirst && (await newestOf(match, read, limit + 1))) || (await read(match));
    return pageOf(rows, { limit }, (row) => row);
  },
});

/** The newest movements of a search, of those customers alone who can have them. Null where that is not certain. */
async function newestOf(
  { recent }: Matching,
  read: (of: Matching) => Promise<LoggedMovement[]>,
  limit: number,
): Promise<LoggedMovement[] | null> {
  if (recent === null) return null;
  const { of, nextAt } = recent;
  const rows = await read(of);
  if (nextAt === null) return rows;
  const last = rows.at(-1);
  return rows.length === limit && last && last.createdAt > nextAt ? rows : null;
}

/** Every movement of the filter, a thousand at a time, for an export: no more than one part is held in memory. */
async function* eachMovement(
  ctx: ReachContext<StaffActor>,
  filter: MovementFilter,
): AsyncGenerator<LoggedMovement[]> {
  const match = await matching(ctx, filter);
  for (let cursor: string | undefined; ; ) {
    const part = matchingPage(match, EXPORT_ROWS, { cursor });
    const rows = await readPart(ctx, ({ db, actor }) => movementRows(db, part, actor));
    if (rows.length > 0) yield rows;
    if (rows.length < EXPORT_ROWS) return;
    cursor = rows.at(-1)?.id;
  }
}

/** The latest top-ups or redeems within the actor's reach, newest first (10 by default, 20 at most). */
export const recentMovements = operation({
  permission: "movements.read",
  input: recentSchema,
  readOnly: true,
  run: async (ctx, query): Promise<LoggedMovement[]> => {
    const match = await matching(ctx, { type: query.type });
    return await movementRows(ctx.db, matchingPage(match, query.limit), ctx.actor);
  },
});

const REDEMPTIONS_FOUND = 10;
/** More redemptions than a merchant has of one bill number, even if it counts from one each day. */
const OF_ONE_NUMBER = 10_000;

/** The ten newest redemptions of this bill number that the actor may refund (workers: within refund_days). */
export const findRedemptions = operation({
  permission: "money.refund",
  keyScope: "refund",
  input: findRedemptionsSchema,
  readOnly: true,
  run: async (ctx, { saleRef }): Promise<LoggedMovement[]> => {
    const conditions = [
      Prisma.sql`m.type = 'REDEEM'`,
      Prisma.sql`lower(m.sale_ref) = lower(${saleRef})`,
      ...withinReach(ctx.reach),
    ];
    if (ctx.actor.type === "user" && ctx.actor.role === "branch_worker") {
      conditions.push(Prisma.sql`m.created_at > ${ctx.clock()}::timestamptz - interval '1 day' * (
      SELECT r.refund_days FROM merchants r WHERE r.id = m.merchant_id)`);
    }
    const merchantId = ctx.reach.scope === "any" ? null : ctx.reach.merchantId;
    const page = Prisma.sql`SELECT m.* FROM (${salesOf(merchantId, saleRef, OF_ONE_NUMBER, conditions)}) m
    ORDER BY m.created_at DESC, m.id DESC LIMIT ${REDEMPTIONS_FOUND}`;
    return await movementRows(ctx.db, page, ctx.actor);
  },
});

/** One movement within the actor's reach, with what it reverses or what reversed it. Throws movement_not_found. */
export const viewMovement = operation({
  permission: "movements.read",
  keyScope: "movements.read",
  input: z.object({ movementId: z.string() }),
  errors: ["movement_not_found"],
  readOnly: true,
  run: async (ctx, input): Promise<LoggedMovement> => {
    if (!isId(input.movementId)) throw new DomainError("movement_not_found");
    const one = [Prisma.sql`m.id = ${input.movementId}::uuid`, ...withinReach(ctx.reach)];
    const page = Prisma.sql`SELECT m.* FROM movements m WHERE ${Prisma.join(one, " AND ")}`;
    const [movement] = await movementRows(ctx.db, page, ctx.actor);
    if (!movement) throw new DomainError("movement_not_found");
    return movement;
  },
});

/** Every movement of the filter within the actor's reach, newest first, in parts that are read as they are asked for. */
export const exportMovements = operation({
  permission: "movements.export",
  input: movementFilterSchema,
  readOnly: true,
  mayLag: true,
  stepUp: true,
  run: async (ctx, filter): Promise<AsyncGenerator<LoggedMovement[]>> => {
    // Check the filter before the answer begins, because a later failure would break off a file.
    assertFilterAllowed(ctx.reach, filter);
    await auditExport(ctx, "export.transactions", filter);
    return eachMovement(ctx, filter);
  },
});

/** A customer's movements (by private id, unchecked: the caller has proved its right), newest first, by seq. */
export async function statementOf(
  db: Db,
  customerId: string,
  { cursor, limit }: { cursor?: string; limit: number },
  viewer: Actor,
): Promise<Page<LoggedMovement>> {
  const before = /^\d{1,9}$/.test(cursor ?? "") ? Prisma.sql`AND m.seq < ${Number(cursor)}` : Prisma.empty;
  const page = Prisma.sql`SELECT m.* FROM movements m WHERE m.customer_id = ${customerId}::uuid ${before}
    ORDER BY m.seq DESC LIMIT ${rowCount(limit + 1)}`;
  const rows = (await movementRows(db, page, viewer)).sort((a, b) => b.seq - a.seq);
  const results = rows.slice(0, limit);
  return { results, nextCursor: rows.length > limit ? String(results.at(-1)?.seq) : null };
}

/** The statement of one of the actor's customers (either id). Throws customer_not_found. */
export const statement = operation({
  permission: "customers.read",
  input: statementSchema,
  readOnly: true,
  run: async (ctx, query): Promise<Page<LoggedMovement>> => {
    const { customerId, ...page } = query;
    const customer = await ctx.db.customer.findFirst({
      where: { ...ofEitherId(customerId), ...merchantWhere(ctx.reach) },
      select: { id: true },
    });
    if (!customer) throw new DomainError("customer_not_found");
    return await statementOf(ctx.db, customer.id, page, ctx.actor);
  },
});

const MOST = 500;

/** The filters of the log: merchants for who sees several, and branches, staff and API keys of the named or own merchant. */
export const filterOptions = operation({
  permission: "movements.read",
  input: z.object({ merchantId: idSchema.optional() }),
  readOnly: true,
  run: async (ctx, input): Promise<FilterOptions> => {
    const reach = ctx.reach;
    const merchantId = reach.scope === "any" ? input.merchantId : (reach.merchantId ?? undefined);
    // Own movements have one member of staff.
    const staffOf = reach.scope === "own" ? undefined : merchantId;
    const orderBy: { name?: "asc"; id?: "asc" }[] = [{ name: "asc" }, { id: "asc" }];
    const [merchants, branches, staff, keys] = await Promise.all([
      reach.scope === "any" ? merchantChoices(ctx.db, merchantId) : [],
      merchantId
        ? ctx.db.branch.findMany({ where: { merchantId }, orderBy, take: MOST, select: BRANCH_REF })
        : [],
      staffOf ? userChoices(ctx.db, { merchantId: staffOf }) : [],
      staffOf
        ? ctx.db.apiKey.findMany({
            where: { merchantId: staffOf },
            orderBy,
            take: MOST,
            select: { id: true, name: true },
          })
        : [],
    ]);
    return {
      merchants: byName(merchants, (one) => merchantName(one, ctx.locale)),
      branches: byName(branches, (one) => branchName(one, ctx.locale)),
      staff,
      keys: byName(keys, ({ name }) => name),
    };
  },
});

/** Movements as a CSV download in the user's language. The response is streamed. */
export function movementsCsv(locale: Locale, parts: AsyncIterable<LoggedMovement[]>): Response {
  const t = translator(locale);
  return csvTable(
    `transactions-${qatarDay(new Date())}.csv`,
    parts,
    {
      reference: (movement) => movement.id,
      time: (movement) => qatarTimestamp(movement.createdAt),
      type: (movement) => t(`movements.types.${movement.type}`),
      customer: (movement) => customerNameOf(movement, locale),
      customerId: (movement) => movement.customer.publicId,
      merchant: (movement) => merchantName(movement.merchant, locale),
      branch: (movement) => movement.branch?.name ?? null,
      by: ({ actor }) => actor.name ?? t(`movements.actors.${actor.type}`),
      points: (movement) => movement.points,
      value: (movement) => Number(cashValue(movement.points, movement.rate)),
      balanceAfter: (movement) => movement.balanceAfter,
      proof: ({ type, proof }) => (type === "REDEEM" ? t(`movements.proofs.${proof}`) : null),
      reverses: (movement) => movement.reverses?.id ?? null,
      reversedBy: (movement) => movement.reversedBy?.id ?? null,
      reason: (movement) => reasonOf(movement, locale),
      paid: (movement) => movement.paidPoints,
      bonus: (movement) => movement.bonusPoints,
      tender: ({ tender }) => tender && t(`movements.tenders.${tender}`),
      saleRef: (movement) => movement.saleRef,
      refunds: (movement) => movement.refunds?.id ?? null,
      occurred: (movement) => qatarTimestamp(movement.occurredAt),
      receiptNumber: (movement) => movement.receiptNumber,
      code: (movement) => movement.customerCode,
    },
    (column) => t(`transactionsCsv.${column}`),
  );
}
