import type { Context } from "@/lib/db/context";
import { authorize, merchantWhere } from "@/lib/domain/actor";
import type { Branch } from "@/lib/domain/branch";
import { DomainError } from "@/lib/domain/errors";
import { branchFrom, branchSelect } from "./branch-row";

/** One branch within reach. Throws branch_not_found. */
export async function getBranch(ctx: Context, input: { id: string }): Promise<Branch> {
  const scope = merchantWhere(authorize(ctx.actor, "branches.manage"));
  const row = await ctx.db.branch.findFirst({ where: { id: input.id, ...scope }, select: branchSelect });
  if (!row) throw new DomainError("branch_not_found");
  return branchFrom(row);
}
getBranch.permission = "branches.manage" as const;
