import { audit } from "@/lib/db/audit";
import type { Context } from "@/lib/db/context";
import { wasRefused } from "@/lib/db/refused";
import { authorize, merchantWhere } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import type { Permission } from "@/lib/domain/policy";
import { archive } from "./update-branch";

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
    if (wasRefused(error, "P2003")) return false;
    throw error;
  }
}

async function remove(ctx: Context, permission: Permission, input: { id: string }): Promise<Removed> {
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

/** As removeBranch, for any merchant's. */
export async function removeOutlet(ctx: Context, input: { id: string }): Promise<Removed> {
  return remove(ctx, "outlets.manage", input);
}
removeOutlet.permission = "outlets.manage" as const;
