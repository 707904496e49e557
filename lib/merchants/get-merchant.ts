import type { Context } from "@/lib/db/context";
import { authorize } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import type { MerchantDetail } from "@/lib/domain/merchant";
import { merchantFrom, merchantSelect } from "./merchant-row";

const SHOWN_BRANCHES = 50;

/** One merchant with its documents and branches, for administrators. Throws merchant_not_found. */
export async function getMerchant(ctx: Context, input: { id: string }): Promise<MerchantDetail> {
  authorize(ctx.actor, "merchants.read");
  const row = await ctx.db.merchant.findUnique({
    where: { id: input.id },
    select: {
      ...merchantSelect,
      _count: {
        select: {
          branches: { where: { archivedAt: null } },
          staff: { where: { role: "branch_worker", status: { not: "disabled" } } },
        },
      },
      decidedBy: { select: { firstName: true, lastName: true } },
      documents: {
        where: { category: "document", attachedAt: { not: null } },
        orderBy: { id: "asc" },
        select: { id: true, fileName: true, contentType: true },
      },
      branches: {
        orderBy: [{ createdAt: "asc" }, { id: "asc" }],
        take: SHOWN_BRANCHES,
        select: { id: true, name: true, city: true, archivedAt: true },
      },
    },
  });
  if (!row) throw new DomainError("merchant_not_found");
  const { decidedBy, documents, branches, ...rest } = row;
  return {
    ...merchantFrom(rest),
    workers: rest._count.staff,
    decidedBy: decidedBy && `${decidedBy.firstName} ${decidedBy.lastName}`,
    documents,
    firstBranches: branches.map(({ archivedAt, ...branch }) => ({
      ...branch,
      archived: archivedAt !== null,
    })),
  };
}
getMerchant.permission = "merchants.read" as const;
