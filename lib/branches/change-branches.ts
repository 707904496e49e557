import { audit } from "@/lib/audit/audit";
import type { Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { isConstraintViolation, mapUniqueViolation } from "@/lib/db/query";
import { consume, type GuardLimit } from "@/lib/db/rate-limit";
import { authorize, merchantWhere, targetMerchantId } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { byIdSchema } from "@/lib/domain/ids";
import type { StaffPermission } from "@/lib/domain/policy";
import { withinPostingLimits } from "@/lib/ledger/lock-postings";
import { operation } from "@/lib/operations/operation";
import {
  type Branch,
  type CreateBranch,
  createBranchSchema,
  type UpdateBranch,
  updateBranchSchema,
} from "./model";
import { branchFrom, branchSelect } from "./read-branches";

type BranchWhere = { id: string; merchantId?: string };

/** The columns that people type, as the audit log has them. */
const TYPED = { name: true, nameAr: true, city: true } as const;

async function create(ctx: Context, permission: StaffPermission, input: CreateBranch): Promise<Branch> {
  const { merchantId: named, ...typed } = input;
  const merchantId = targetMerchantId(authorize(ctx.actor, permission), named);
  const write = () =>
    ctx.db.$transaction(async (tx) => {
      const row = await tx.branch.create({ data: { merchantId, ...typed }, select: branchSelect });
      await audit(tx, ctx, {
        merchantId,
        action: "branch.created",
        entity: "branch",
        entityId: row.id,
        after: typed,
      });
      return branchFrom(row);
    });
  try {
    return await mapUniqueViolation("branch_name_taken", "name", write);
  } catch (cause) {
    if (isConstraintViolation(cause, "P2003")) throw new DomainError("merchant_not_found", {}, [], { cause });
    throw cause;
  }
}

/**
 * Creates a branch of the caller's merchant, or of the merchant that a super_admin names.
 * Throws branch_name_taken, merchant_not_found.
 */
export const createBranch = operation({
  permission: "branches.manage",
  input: createBranchSchema,
  errors: ["branch_name_taken", "merchant_not_found"],
  run: async (ctx, input): Promise<Branch> => create(ctx, "branches.manage", input),
});

/** Creates a branch of the named merchant. Throws branch_name_taken, merchant_not_found. */
export const createOutlet = operation({
  permission: "outlets.manage",
  input: createBranchSchema,
  errors: ["branch_name_taken", "merchant_not_found"],
  run: async (ctx, input): Promise<Branch> => create(ctx, "outlets.manage", input),
});

/** Archives an open branch and removes it as the home branch of its workers. Runs in the caller's transaction. */
async function archive(tx: Tx, where: BranchWhere, now: Date): Promise<void> {
  const { count } = await tx.branch.updateMany({
    where: { ...where, archivedAt: null },
    data: { archivedAt: now },
  });
  if (count > 0) await tx.user.updateMany({ where: { branchId: where.id }, data: { branchId: null } });
}

async function update(ctx: Context, permission: StaffPermission, input: UpdateBranch): Promise<Branch> {
  const scope = merchantWhere(authorize(ctx.actor, permission));
  const { id, archived, ...fields } = input;
  const where = { id, ...scope };
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
      await audit(tx, ctx, {
        merchantId: row.merchantId,
        action: archived === undefined ? "branch.changed" : archived ? "branch.archived" : "branch.reopened",
        entity: "branch",
        entityId: id,
        before: { ...typed, archived: archivedAt !== null },
        after: { ...fields, ...(archived === undefined ? {} : { archived }) },
      });
      return branchFrom(await tx.branch.findUniqueOrThrow({ where: { id }, select: branchSelect }));
    }),
  );
}

/** Renames, archives or reopens a branch in the caller's scope. Throws branch_not_found, branch_name_taken. */
export const updateBranch = operation({
  permission: "branches.manage",
  input: updateBranchSchema,
  errors: ["branch_not_found", "branch_name_taken"],
  run: async (ctx, input): Promise<Branch> => update(ctx, "branches.manage", input),
});

/** Same as updateBranch, for any merchant's branch. */
export const updateOutlet = operation({
  permission: "outlets.manage",
  input: updateBranchSchema,
  errors: ["branch_not_found", "branch_name_taken"],
  run: async (ctx, input): Promise<Branch> => update(ctx, "outlets.manage", input),
});

export type RemovedBranch = { archived: boolean };

/** Deletions of a merchant: each one stops the merchant's postings for a moment. */
const DELETIONS: GuardLimit = { name: "branch-deletion", points: 20, seconds: 3_600 };

/**
 * Deletes a branch that was never used. Answers true if it did. The database stops the merchant's postings meanwhile.
 * Throws rate_limited after 20 deletions in an hour.
 */
async function deleteUnused(ctx: Context, where: BranchWhere, merchantId: string): Promise<boolean> {
  const unused = { movements: { none: {} }, workers: { none: {} }, dailySums: { none: {} } };
  // Most removals archive a branch, and stop nobody.
  if ((await ctx.db.branch.count({ where: { ...where, ...unused } })) === 0) return false;
  await consume(ctx.db, DELETIONS, merchantId);
  try {
    return await withinPostingLimits(ctx.db, async (tx) => {
      const before = await tx.branch.findFirst({ where, select: TYPED });
      const { count } = await tx.branch.deleteMany({ where: { ...where, ...unused } });
      if (count === 0) return false;
      const about = { merchantId, entity: "branch", entityId: where.id } as const;
      await audit(tx, ctx, { action: "branch.deleted", ...about, ...(before ? { before } : {}) });
      return true;
    });
  } catch (error) {
    // A first movement arrived meanwhile, so the foreign key refused the delete.
    if (isConstraintViolation(error, "P2003")) return false;
    throw error;
  }
}

async function remove(
  ctx: Context,
  permission: StaffPermission,
  input: { id: string },
): Promise<RemovedBranch> {
  const where: BranchWhere = { id: input.id, ...merchantWhere(authorize(ctx.actor, permission)) };
  const branch = await ctx.db.branch.findFirst({ where, select: { merchantId: true } });
  if (!branch) throw new DomainError("branch_not_found");
  if (await deleteUnused(ctx, where, branch.merchantId)) return { archived: false };
  await ctx.db.$transaction(async (tx) => {
    await archive(tx, where, ctx.clock());
    const { merchantId } = branch;
    await audit(tx, ctx, { merchantId, action: "branch.archived", entity: "branch", entityId: input.id });
  });
  return { archived: true };
}

/**
 * Deletes an unused branch; archives one with movements or workers instead. Throws branch_not_found, and rate_limited after
 * 20 deletions of the merchant in an hour.
 */
export const removeBranch = operation({
  permission: "branches.manage",
  input: byIdSchema,
  errors: ["branch_not_found"],
  run: async (ctx, input): Promise<RemovedBranch> => remove(ctx, "branches.manage", input),
});

/** Same as removeBranch, for any merchant's branch. */
export const removeOutlet = operation({
  permission: "outlets.manage",
  input: byIdSchema,
  errors: ["branch_not_found"],
  run: async (ctx, input): Promise<RemovedBranch> => remove(ctx, "outlets.manage", input),
});
