import { audit } from "@/lib/audit/audit";
import { parseCustomerCode } from "@/lib/customers/model/customer-code";
import { shownId } from "@/lib/customers/model/customer-id";
import type { Tx } from "@/lib/db/client";
import { type Context, givenTime } from "@/lib/db/context";
import type { Prisma } from "@/lib/db/generated/client";
import { pageArgs, pageOf } from "@/lib/db/paging";
import { type Actor, merchantWhere } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { idSchema, nothingSchema } from "@/lib/domain/ids";
import { NIL_ID } from "@/lib/domain/is-id";
import { BRANCH_REF } from "@/lib/domain/localized-names";
import { postBatch } from "@/lib/ledger/batch";
import { type Page, type Receipt, TOP_UP_REFUSALS } from "@/lib/ledger/model/movements";
import { receiptOf, requestHash, storedOfEitherId } from "@/lib/ledger/post-request";
import { operation } from "@/lib/operations/operation";
import { topUpOf } from "./judge-entry";
import { entriesSchema, inboxCode, type Resolution, resolveEntrySchema } from "./model/offline";
import { MOST_WAITING } from "./model/offline-counter";
import type { OfflineEntry } from "./names";
import { named, person } from "./read-shifts";

const select = {
  id: true,
  n: true,
  code: true,
  points: true,
  tender: true,
  saleRef: true,
  occurredAt: true,
  receivedAt: true,
  merchantId: true,
  customerId: true,
  branchId: true,
  resolution: true,
  resolvedAt: true,
  reason: true,
  till: { select: { id: true, name: true } },
  worker: person,
  syncedBy: person,
  resolvedBy: person,
} as const satisfies Prisma.OfflineEntrySelect;
type Row = Prisma.OfflineEntryGetPayload<{ select: typeof select }>;

/** The customers and branches that entries name, of the entries' own merchants only. */
async function subjects(db: Context["db"] | Tx, viewer: Actor, rows: Row[]) {
  const ids = rows.map(({ customerId }) => customerId);
  const merchantId = { in: rows.map((row) => row.merchantId) };
  const customers = await db.customer.findMany({
    where: { merchantId, OR: [{ id: { in: ids } }, { publicId: { in: ids } }] },
    select: { id: true, publicId: true, fullName: true, merchantId: true },
  });
  const branches = await db.branch.findMany({
    where: { merchantId, id: { in: rows.map(({ branchId }) => branchId) } },
    select: { ...BRANCH_REF, merchantId: true },
  });
  return (row: Row): OfflineEntry => {
    const of = <T extends { merchantId: string }>(one: T) => one.merchantId === row.merchantId;
    const customer = customers.find(
      (one) => of(one) && (one.id === row.customerId || one.publicId === row.customerId),
    );
    const branch = branches.find((one) => of(one) && one.id === row.branchId);
    const { merchantId: _m, customerId: _c, branchId: _b, syncedBy, ...own } = row;
    return {
      ...own,
      code: inboxCode(row.code ?? ""),
      resolution: row.resolution as Resolution | null,
      worker: named(row.worker),
      sentBy: named(syncedBy),
      resolvedBy: row.resolvedBy && named(row.resolvedBy),
      customer: customer
        ? { id: shownId(viewer, customer), publicId: customer.publicId, fullName: customer.fullName }
        : null,
      branch: branch ? { id: branch.id, name: branch.name, nameAr: branch.nameAr } : null,
    };
  };
}

const STATES = {
  waiting: { code: { not: null }, resolvedAt: null },
  resolved: { code: { not: null }, resolvedAt: { not: null } },
  all: { code: { not: null } },
} as const;

/** A page of the inbox: the kept top-ups that could not be posted, the latest received first. */
export const listEntries = operation({
  permission: "offline.resolve",
  input: entriesSchema,
  readOnly: true,
  run: async (ctx, query): Promise<Page<OfflineEntry>> => {
    const { tillId, merchantId, state } = query;
    const rows = await ctx.db.offlineEntry.findMany({
      where: { AND: [merchantWhere(ctx.reach), { tillId, merchantId }, STATES[state]] },
      orderBy: { id: "desc" },
      select,
      ...pageArgs(query),
    });
    const toEntry = await subjects(ctx.db, ctx.actor, rows);
    return pageOf(rows, query, toEntry);
  },
});

/** How many entries wait for the owner's decision, up to one more than MOST_WAITING. */
export const countWaitingEntries = operation({
  permission: "offline.resolve",
  input: nothingSchema,
  readOnly: true,
  run: async (ctx): Promise<{ waiting: number }> => {
    const where = { AND: [merchantWhere(ctx.reach), STATES.waiting] };
    return { waiting: await ctx.db.offlineEntry.count({ where, take: MOST_WAITING + 1 }) };
  },
});

type Waiting = Row & { key: string; workerId: string; tillId: string; movementId: string | null };

/**
 * Posts an entry to its customer or another: by its worker, so that none of the ledger's limits is passed over, and under
 * the key that the counter would have used, so that its cashier, who may repeat it there, and the owner post it once. What
 * the cashier has posted is answered. A key that the worker used for something else is replaced. The movement names the
 * resolver beside the worker, and nothing is posted to a card of either. Throws the ledger's refusal.
 */
async function postEntry(
  tx: Tx,
  ctx: Context,
  entry: Waiting,
  customer: string,
  reason: string,
): Promise<{ receipt: Receipt; before: boolean }> {
  const asked = topUpOf(entry);
  const by = { actor: entry.workerId, scope: "merchant", scopeMerchant: entry.merchantId } as const;
  const stored = await storedOfEitherId(tx, asked, by, entry.key);
  if (stored && "movement" in stored)
    return { receipt: receiptOf(stored, "TOP_UP", ctx.actor), before: true };
  const request = { ...asked, customer };
  const [outcome] = await postBatch(tx, [
    {
      ...request,
      ...by,
      reason,
      hash: requestHash(request),
      key: stored ? `offline-entry:${entry.id}` : entry.key,
      at: givenTime(ctx),
      occurred: entry.occurredAt,
      till: entry.tillId,
      late: true,
      resolver: ctx.actor.userId,
    },
  ]);
  if (!outcome) throw new DomainError("internal");
  return { receipt: receiptOf(outcome, "TOP_UP", ctx.actor), before: false };
}

/** The id of the card that somebody typed: an id already, or the merchant's card of that code. No card has NIL_ID. */
async function cardNamed(tx: Tx, merchantId: string, typed: string): Promise<string> {
  const code = parseCustomerCode(typed);
  if (code === null) return idSchema.parse(typed);
  const where = { merchantId_code: { merchantId, code } };
  const card = await tx.customer.findUnique({ where, select: { id: true } });
  return card?.id ?? NIL_ID;
}

/**
 * Resolves an entry of the inbox: posts it, posts it to another customer, or writes it off, with a reason. What its cashier has
 * posted meanwhile is not posted again: then the entry is resolved as posted, by that movement. Throws what a top-up throws.
 */
export const resolveEntry = operation({
  permission: "offline.resolve",
  input: resolveEntrySchema,
  errors: ["entry_not_found", "entry_resolved", "customer_not_found", ...TOP_UP_REFUSALS, "key_reused"],
  run: async (ctx, input): Promise<OfflineEntry> => {
    const { id, action, reason } = input;
    return ctx.db.$transaction(async (tx) => {
      // Of two who resolve it, the second sees what the first did.
      await tx.$queryRaw`select 1 from offline_entries where id = ${id}::uuid for update`;
      const entry = await tx.offlineEntry.findFirst({
        where: { id, ...merchantWhere(ctx.reach), code: { not: null } },
        select: { ...select, key: true, workerId: true, tillId: true, movementId: true },
      });
      if (!entry) throw new DomainError("entry_not_found");
      if (entry.resolvedAt !== null) throw new DomainError("entry_resolved");
      const customer =
        action === "move" && input.customerId
          ? await cardNamed(tx, entry.merchantId, input.customerId)
          : entry.customerId;
      const posted = action === "write_off" ? null : await postEntry(tx, ctx, entry, customer, reason);
      const resolution = posted?.before ? "post" : action;
      const movement = posted?.receipt.movement.id;
      const by = { resolvedAt: ctx.clock(), resolvedById: ctx.actor.userId };
      const data = { ...by, resolution, reason, movementId: movement };
      const row = await tx.offlineEntry.update({ where: { id }, data, select });
      const about = { merchantId: entry.merchantId, entity: "till", entityId: entry.till.id } as const;
      // The reason may name the customer: it stays on the entry, from which deleting a card takes it.
      const after = { entry: id, points: entry.points, movement };
      await audit(tx, ctx, { ...about, action: `entry.${resolution}`, after });
      return (await subjects(tx, ctx.actor, [row]))(row);
    });
  },
});
