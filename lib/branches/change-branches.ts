import { audit } from "@/lib/audit/audit";
import type { Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { isConstraintViolation, mapUniqueViolation } from "@/lib/db/query";
import { authorize, merchantWhere, targetMerchantId } from "@/lib/domain/actor";
import {
  type Branch,
  type CreateBranch,
  createBranchSchema,
  type UpdateBranch,
  updateBranchSchema,
} from "@/lib/domain/branch";
import { DomainError } from "@/lib/domain/errors";
import { byIdSchema } from "@/lib/domain/ids";
import type { StaffPermission } from "@/lib/domain/policy";
import { branchFrom, branchSelect } from "./read-branches";

async function create(ctx: Context, permission: StaffPermission, input: CreateBranch): Promise<Branch> {
  const merchantId = targetMerchantId(authorize(ctx.actor, permission), input.merchantId);
  const { name, city } = input;
  const write = () =>
    ctx.db.$transaction(async (tx) => {
      const row = await tx.branch.create({ data: { merchantId, name, city }, select: branchSelect });
      await audit(tx, ctx, {
        merchantId,
        action: "branch.created",
        entity: "branch",
        entityId: row.id,
        after: { name, city },
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

/** Opens a branch of the own merchant (a super_admin names one). Throws branch_name_taken, merchant_not_found. */
export async function createBranch(ctx: Context, input: CreateBranch): Promise<Branch> {
  return create(ctx, "branches.manage", input);
}
createBranch.permission = "branches.manage" as const;
createBranch.input = createBranchSchema;
createBranch.errors = ["branch_name_taken", "merchant_not_found"] as const;

/** Opens a branch of the merchant that is named. Throws branch_name_taken, merchant_not_found. */
export async function createOutlet(ctx: Context, input: CreateBranch): Promise<Branch> {
  return create(ctx, "outlets.manage", input);
}
createOutlet.permission = "outlets.manage" as const;
createOutlet.input = createBranchSchema;
createOutlet.errors = ["branch_name_taken", "merchant_not_found"] as const;

/** Closes a branch, once: it is nobody's home any more. Part of a transaction. */
async function archive(tx: Tx, where: { id: string; merchantId?: string }, now: Date): Promise<void> {
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
      const before = await tx.branch.findFirst({
        where,
        select: { name: true, city: true, archivedAt: true },
      });
      if (!before) throw new DomainError("branch_not_found");
      if (archived) await archive(tx, where, ctx.clock());
      const [row] = await tx.branch.updateManyAndReturn({
        where,
        data: { ...fields, ...(archived === false ? { archivedAt: null } : {}) },
        select: { id: true, merchantId: true },
      });
      // Gone between the two.
      if (!row) throw new DomainError("branch_not_found");
      await audit(tx, ctx, {
        merchantId: row.merchantId,
        action: archived === undefined ? "branch.changed" : archived ? "branch.archived" : "branch.reopened",
        entity: "branch",
        entityId: id,
        before: { name: before.name, city: before.city, archived: before.archivedAt !== null },
        after: { ...fields, ...(archived === undefined ? {} : { archived }) },
      });
      return branchFrom(await tx.branch.findUniqueOrThrow({ where: { id }, select: branchSelect }));
    }),
  );
}

/** Renames, archives or reopens a branch within reach. Throws branch_not_found, branch_name_taken. */
export async function updateBranch(ctx: Context, input: UpdateBranch): Promise<Branch> {
  return update(ctx, "branches.manage", input);
}
updateBranch.permission = "branches.manage" as const;
updateBranch.input = updateBranchSchema;
updateBranch.errors = ["branch_not_found", "branch_name_taken"] as const;

/** As updateBranch, for any merchant's. */
export async function updateOutlet(ctx: Context, input: UpdateBranch): Promise<Branch> {
  return update(ctx, "outlets.manage", input);
}
updateOutlet.permission = "outlets.manage" as const;
updateOutlet.input = updateBranchSchema;
updateOutlet.errors = ["branch_not_found", "branch_name_taken"] as const;

export type Removed = { archived: boolean };
type Where = { id: string; merchantId?: string };

/** Deletes a branch that was never used. Answers whether it did. */
async function deleteUnused(ctx: Context, where: Where, merchantId: string): Promise<boolean> {
  try {
    return await ctx.db.$transaction(async (tx) => {
      const unused = { movements: { none: {} }, workers: { none: {} }, dailySums: { none: {} } };
      const { count } = await tx.branch.deleteMany({ where: { ...where, ...unused } });
      if (count === 0) return false;
      await audit(tx, ctx, { merchantId, action: "branch.deleted", entity: "branch", entityId: where.id });
      return true;
    });
  } catch (error) {
    // Its first movement came in between: the database kept the branch.
    if (isConstraintViolation(error, "P2003")) return false;
    throw error;
  }
}

async function remove(ctx: Context, permission: StaffPermission, input: { id: string }): Promise<Removed> {
  const where: Where = { id: input.id, ...merchantWhere(authorize(ctx.actor, permission)) };
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

/** Deletes a branch that was never used; one with movements or workers is archived instead. Throws branch_not_found. */
export async function removeBranch(ctx: Context, input: { id: string }): Promise<Removed> {
  return remove(ctx, "branches.manage", input);
}
removeBranch.permission = "branches.manage" as const;
removeBranch.input = byIdSchema;
removeBranch.errors = ["branch_not_found"] as const;

/** As removeBranch, for any merchant's. */
export async function removeOutlet(ctx: Context, input: { id: string }): Promise<Removed> {
  return remove(ctx, "outlets.manage", input);
}
removeOutlet.permission = "outlets.manage" as const;
removeOutlet.input = byIdSchema;
removeOutlet.errors = ["branch_not_found"] as const;
