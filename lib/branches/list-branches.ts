import type { Context } from "@/lib/db/context";
import type { Prisma } from "@/lib/db/generated/client";
import { holds } from "@/lib/db/like";
import { pageArgs, pageOf } from "@/lib/db/paging";
import { authorize, merchantWhere } from "@/lib/domain/actor";
import type { Branch, BranchesQuery } from "@/lib/domain/branch";
import type { Page } from "@/lib/domain/points";
import { branchFrom, branchSelect } from "./branch-row";

const STATES = { open: { archivedAt: null }, archived: { archivedAt: { not: null } }, all: {} };

function matches(search: string | undefined): Prisma.BranchWhereInput {
  if (!search) return {};
  return {
    OR: [{ name: holds(search) }, { city: holds(search) }, { merchant: { businessName: holds(search) } }],
  };
}

async function read(
  ctx: Context,
  scope: { merchantId?: string },
  query: BranchesQuery,
): Promise<Page<Branch>> {
  const rows = await ctx.db.branch.findMany({
    // The scope stands apart, so that no filter can widen it.
    where: {
      AND: [
        scope,
        query.merchantId ? { merchantId: query.merchantId } : {},
        STATES[query.state],
        matches(query.search),
      ],
    },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    ...pageArgs(query),
    select: branchSelect,
  });
  return pageOf(rows, query, branchFrom);
}

/** A page of the own merchant's branches (a super_admin's: everybody's), newest first. */
export async function listBranches(ctx: Context, query: BranchesQuery): Promise<Page<Branch>> {
  return read(ctx, merchantWhere(authorize(ctx.actor, "branches.manage")), query);
}
listBranches.permission = "branches.manage" as const;

/** A page of all merchants' branches, newest first: the administrator's view. */
export async function listOutlets(ctx: Context, query: BranchesQuery): Promise<Page<Branch>> {
  return read(ctx, merchantWhere(authorize(ctx.actor, "outlets.manage")), query);
}
listOutlets.permission = "outlets.manage" as const;
