import { z } from "zod";
import type { Branch } from "@/lib/domain/branch";
import type { Page } from "@/lib/domain/movements";
import { merchantRefFrom, merchantRefShape } from "./merchant-ref";
import { same } from "./names";

export const idParams = same("id");

const branchData = z.object({
  _id: z.string(),
  sBranchName: z.string(),
  sCity: z.string(),
  iMerchantId: z.string(),
  merchant: merchantRefShape,
  nWorkers: z.number().int(),
  bArchived: z.boolean(),
  dCreatedAt: z.iso.datetime(),
});

function branchFrom(branch: Branch): z.output<typeof branchData> {
  return {
    _id: branch.id,
    sBranchName: branch.name,
    sCity: branch.city,
    iMerchantId: branch.merchant.id,
    merchant: merchantRefFrom(branch.merchant),
    nWorkers: branch.workers,
    bArchived: branch.archivedAt !== null,
    dCreatedAt: branch.createdAt.toISOString(),
  };
}

export const branchReply = { schema: branchData, from: branchFrom };
export const branchesReply = {
  schema: z.object({ results: z.array(branchData), nextCursor: z.string().nullable() }),
  from: (page: Page<Branch>) => ({ results: page.results.map(branchFrom), nextCursor: page.nextCursor }),
};
/** Whether the branch was archived, because it had been used, or deleted. */
export const removedReply = {
  schema: z.object({ bArchived: z.boolean() }),
  from: ({ archived }: { archived: boolean }) => ({ bArchived: archived }),
};

/** `state` is open (default), archived or all. A minus before the field of `sort` sorts in descending order. */
export const branchesWire = {
  ...same("search", "cursor", "limit", "state", "sort"),
  iMerchantId: "merchantId",
} as const;
export const createBranchWire = { sBranchName: "name", sCity: "city", iMerchantId: "merchantId" } as const;
export const updateBranchWire = { sBranchName: "name", sCity: "city", bArchived: "archived" } as const;
