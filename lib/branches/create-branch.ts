import { audit } from "@/lib/db/audit";
import type { Context } from "@/lib/db/context";
import { orTaken, wasRefused } from "@/lib/db/refused";
import { authorize, merchantOf } from "@/lib/domain/actor";
import type { Branch, CreateBranch } from "@/lib/domain/branch";
import { DomainError } from "@/lib/domain/errors";
import type { Permission } from "@/lib/domain/policy";
import { branchFrom, branchSelect } from "./branch-row";

async function create(ctx: Context, permission: Permission, input: CreateBranch): Promise<Branch> {
  const merchantId = merchantOf(authorize(ctx.actor, permission), input.merchantId);
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
    return await orTaken("branch_name_taken", "name", write);
  } catch (cause) {
    if (wasRefused(cause, "P2003")) throw new DomainError("merchant_not_found", {}, [], { cause });
    throw cause;
  }
}

/** Opens a branch of the own merchant (a super_admin names one). Throws branch_name_taken, merchant_not_found. */
export async function createBranch(ctx: Context, input: CreateBranch): Promise<Branch> {
  return create(ctx, "branches.manage", input);
}
createBranch.permission = "branches.manage" as const;

/** Opens a branch of the merchant that is named. Throws branch_name_taken, merchant_not_found. */
export async function createOutlet(ctx: Context, input: CreateBranch): Promise<Branch> {
  return create(ctx, "outlets.manage", input);
}
createOutlet.permission = "outlets.manage" as const;
