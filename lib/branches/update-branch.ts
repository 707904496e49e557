import { audit } from "@/lib/db/audit";
import type { Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { orTaken } from "@/lib/db/refused";
import { authorize, merchantWhere } from "@/lib/domain/actor";
import type { Branch, UpdateBranch } from "@/lib/domain/branch";
import { DomainError } from "@/lib/domain/errors";
import type { Permission } from "@/lib/domain/policy";
import { branchFrom, branchSelect } from "./branch-row";

/** Closes a branch, once: it is nobody's home any more. Part of a transaction. */
export async function archive(tx: Tx, where: { id: string; merchantId?: string }, now: Date): Promise<void> {
  const { count } = await tx.branch.updateMany({
    where: { ...where, archivedAt: null },
    data: { archivedAt: now },
  });
  if (count > 0) await tx.user.updateMany({ where: { branchId: where.id }, data: { branchId: null } });
}

async function update(ctx: Context, permission: Permission, input: UpdateBranch): Promise<Branch> {
  const scope = merchantWhere(authorize(ctx.actor, permission));
  const { id, archived, ...fields } = input;
  const where = { id, ...scope };
  return orTaken("branch_name_taken", "name", () =>
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

/** As updateBranch, for any merchant's. */
export async function updateOutlet(ctx: Context, input: UpdateBranch): Promise<Branch> {
  return update(ctx, "outlets.manage", input);
}
updateOutlet.permission = "outlets.manage" as const;
