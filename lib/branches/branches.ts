import { auditBranch, difference } from "@/lib/audit/audit";
import type { Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import { type Key, nameKey, type Order, pageIds, pageOf, sortByIds, timeKey } from "@/lib/db/paging";
import { andMerchant, anyColumnContains, isConstraintViolation, mapUniqueViolation } from "@/lib/db/query";
import { consume, type GuardLimit } from "@/lib/db/rate-limit";
import { merchantWhere, targetMerchantId } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { byIdSchema } from "@/lib/domain/ids";
import { MERCHANT_REF } from "@/lib/domain/localized-names";
import { parseSort } from "@/lib/domain/paging";
import { withinPostingLimits } from "@/lib/ledger/lock-postings";
import type { Page } from "@/lib/ledger/model/movements";
import { operation } from "@/lib/operations/operation";
import { type BRANCH_SORTS, branchesSchema, createBranchSchema, updateBranchSchema } from "./model";
import type { Branch } from "./names";

const branchSelect = {
  id: true,
  name: true,
  nameAr: true,
  city: true,
  archivedAt: true,
  createdAt: true,
  merchant: { select: MERCHANT_REF },
  _count: { select: { workers: { where: { role: "branch_worker", status: { not: "disabled" } } } } },
} as const;

function branchFrom({ _count, ...row }: Omit<Branch, "workers"> & { _count: { workers: number } }): Branch {
  return { ...row, workers: _count.workers };
}

/** One branch in the caller's scope. Throws branch_not_found. */
export const getBranch = operation({
  permission: "branches.manage",
  input: byIdSchema,
  errors: ["branch_not_found"],
  readOnly: true,
  run: async (ctx, input): Promise<Branch> => {
    const scope = merchantWhere(ctx.reach);
    const row = await ctx.db.branch.findFirst({ where: { id: input.id, ...scope }, select: branchSelect });
    if (!row) throw new DomainError("branch_not_found");
    return branchFrom(row);
  },
});

const FROM = Prisma.sql`branches b join merchants m on m.id = b.merchant_id`;
const NAME = nameKey(Prisma.sql`b.name`);
const KEYS: Record<(typeof BRANCH_SORTS)[number], Key[]> = {
  added: [timeKey(Prisma.sql`b.created_at`)],
  name: [NAME],
  merchant: [nameKey(Prisma.sql`m.business_name`), NAME],
};
const SEARCHED = ["b.name", "b.name_ar", "b.city", "m.business_name", "m.business_name_ar"].map(Prisma.raw);
const STATES = {
  open: [Prisma.sql`b.archived_at is null`],
  archived: [Prisma.sql`b.archived_at is not null`],
  all: [],
};

type Permission = "branches.manage" | "outlets.manage";

const list = (permission: Permission) =>
  operation({
    permission,
    input: branchesSchema,
    readOnly: true,
    run: async ({ db, reach }, query): Promise<Page<Branch>> => {
      const { field, down } = parseSort(query.sort ?? "-added");
      const order: Order = { keys: KEYS[field], id: Prisma.sql`b.id`, down };
      const within = Prisma.sql`true ${andMerchant(reach)}`;
      const conditions = [
        within,
        ...(query.merchantId ? [Prisma.sql`b.merchant_id = ${query.merchantId}::uuid`] : []),
        ...STATES[query.state],
        ...(query.search ? [anyColumnContains(SEARCHED, query.search)] : []),
      ];
      const where = Prisma.join(conditions, " and ");
      const ids = await pageIds(db, { from: FROM, within, where }, order, query);
      const rows = await db.branch.findMany({ where: { id: { in: ids } }, select: branchSelect });
      return pageOf(sortByIds(ids, rows), query, branchFrom);
    },
  });

/** A page of the branches in the caller's scope (for administrators: of all merchants), newest first unless sorted. */
export const listBranches = list("branches.manage");
export const listOutlets = list("outlets.manage");

type BranchWhere = { id: string; merchantId?: string };

const TYPED = { name: true, nameAr: true, city: true } as const;

const create = (permission: Permission) =>
  operation({
    permission,
    input: createBranchSchema,
    errors: ["branch_name_taken", "merchant_not_found"],
    run: async (ctx, { merchantId: named, ...typed }): Promise<Branch> => {
      const merchantId = targetMerchantId(ctx.reach, named);
      const write = () =>
        ctx.db.$transaction(async (tx) => {
          const row = await tx.branch.create({ data: { merchantId, ...typed }, select: branchSelect });
          const entry = { action: "branch.created", after: typed } as const;
          await auditBranch(tx, ctx, { id: row.id, merchantId }, entry);
          return branchFrom(row);
        });
      try {
        return await mapUniqueViolation("branch_name_taken", "name", write);
      } catch (cause) {
        if (!isConstraintViolation(cause, "P2003")) throw cause;
        throw new DomainError("merchant_not_found", {}, [], { cause });
      }
    },
  });

/** Creates a branch of the caller's merchant, or of the named one. Throws branch_name_taken, merchant_not_found. */
export const createBranch = create("branches.manage");
export const createOutlet = create("outlets.manage");

/** Archives an open branch, which is then nobody's home branch. Answers whether it was open. */
async function archive(tx: Tx, where: BranchWhere, now: Date): Promise<boolean> {
  const { count } = await tx.branch.updateMany({
    where: { ...where, archivedAt: null },
    data: { archivedAt: now },
  });
  if (count > 0) await tx.user.updateMany({ where: { branchId: where.id }, data: { branchId: null } });
  return count > 0;
}

const update = (permission: Permission) =>
  operation({
    permission,
    input: updateBranchSchema,
    errors: ["branch_not_found", "branch_name_taken"],
    run: async (ctx, { id, archived, ...fields }): Promise<Branch> => {
      const where = { id, ...merchantWhere(ctx.reach) };
      return mapUniqueViolation("branch_name_taken", "name", () =>
        ctx.db.$transaction(async (tx) => {
          const before = await tx.branch.findFirst({ where, select: { ...TYPED, archivedAt: true } });
          if (!before) throw new DomainError("branch_not_found");
          const { archivedAt, ...typed } = before;
          if (archived) await archive(tx, where, ctx.clock());
          const [row] = await tx.branch.updateManyAndReturn({
            where,
            data: { ...fields, ...(archived === false ? { archivedAt: null } : {}) },
            select: { id: true, merchantId: true },
          });
          // Deleted since the first read.
          if (!row) throw new DomainError("branch_not_found");
          const was = { ...typed, archived: archivedAt !== null };
          const changed = difference(was, { ...fields, archived })?.after;
          const moved = archived ? "branch.archived" : "branch.reopened";
          const action = changed && "archived" in changed ? moved : "branch.changed";
          if (changed) await auditBranch(tx, ctx, row, { action, before: was, after: changed });
          return branchFrom(await tx.branch.findUniqueOrThrow({ where: { id }, select: branchSelect }));
        }),
      );
    },
  });

/** Renames, archives or reopens a branch in the caller's scope. Throws branch_not_found, branch_name_taken. */
export const updateBranch = update("branches.manage");
export const updateOutlet = update("outlets.manage");

/** Deletions of a merchant: each one stops the merchant's postings for a moment. */
const DELETIONS: GuardLimit = { name: "branch-deletion", points: 20, seconds: 3_600 };

/** Deletes an open branch that was never used, if it can; this stops the merchant's postings. Throws rate_limited. */
async function deleteUnused(ctx: Context, where: BranchWhere, merchantId: string): Promise<boolean> {
  // Archiving took the workers from a branch: the same request again would delete it.
  const unused = {
    archivedAt: null,
    movements: { none: {} },
    workers: { none: {} },
    dailySums: { none: {} },
  };
  // Most removals archive a branch, and stop nobody.
  if ((await ctx.db.branch.count({ where: { ...where, ...unused } })) === 0) return false;
  await consume(ctx.db, DELETIONS, merchantId);
  try {
    return await withinPostingLimits(ctx.db, async (tx) => {
      const before = await tx.branch.findFirst({ where, select: TYPED });
      const { count } = await tx.branch.deleteMany({ where: { ...where, ...unused } });
      if (count === 0) return false;
      const entry = { action: "branch.deleted", ...(before ? { before } : {}) } as const;
      await auditBranch(tx, ctx, { id: where.id, merchantId }, entry);
      return true;
    });
  } catch (error) {
    // A first movement arrived meanwhile, so the foreign key refused the delete.
    if (isConstraintViolation(error, "P2003")) return false;
    throw error;
  }
}

const remove = (permission: Permission) =>
  operation({
    permission,
    input: byIdSchema,
    errors: ["branch_not_found"],
    run: async (ctx, { id }): Promise<{ archived: boolean }> => {
      const where: BranchWhere = { id, ...merchantWhere(ctx.reach) };
      const branch = await ctx.db.branch.findFirst({ where, select: { merchantId: true } });
      if (!branch) throw new DomainError("branch_not_found");
      const { merchantId } = branch;
      if (await deleteUnused(ctx, where, merchantId)) return { archived: false };
      await ctx.db.$transaction(async (tx) => {
        if (await archive(tx, where, ctx.clock()))
          await auditBranch(tx, ctx, { id, merchantId }, { action: "branch.archived" });
      });
      return { archived: true };
    },
  });

/** Deletes an unused branch, archives any other. Throws branch_not_found, rate_limited after 20 deletions in an hour. */
export const removeBranch = remove("branches.manage");
export const removeOutlet = remove("outlets.manage");
