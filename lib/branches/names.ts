import { z } from "zod";
import { idParams, merchantRefFrom, merchantRefShape } from "@/lib/calls/fields";
import { same } from "@/lib/calls/names";
import type { Branch } from "@/lib/domain/branch";
import type { Page } from "@/lib/domain/movements";

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

const branchReply = { schema: branchData, from: branchFrom };
const branchesReply = {
  schema: z.object({ results: z.array(branchData), nextCursor: z.string().nullable() }),
  from: (page: Page<Branch>) => ({ results: page.results.map(branchFrom), nextCursor: page.nextCursor }),
};
/** Whether the branch was archived, because it had been used, or deleted. */
const removedReply = {
  schema: z.object({ bArchived: z.boolean() }),
  from: ({ archived }: { archived: boolean }) => ({ bArchived: archived }),
};

/** `state` is open (default), archived or all. A minus before the field of `sort` sorts in descending order. */
const branchesWire = {
  ...same("search", "cursor", "limit", "state", "sort"),
  iMerchantId: "merchantId",
} as const;
const createBranchWire = { sBranchName: "name", sCity: "city", iMerchantId: "merchantId" } as const;
const updateBranchWire = { sBranchName: "name", sCity: "city", bArchived: "archived" } as const;

/** The calls of branches, as both sides know them. */
export const branchCalls = {
  getBranch: { method: "GET", path: "branches/{id}", params: idParams, reply: branchReply },
  updateBranch: {
    method: "PUT",
    path: "branches/{id}",
    params: idParams,
    body: updateBranchWire,
    reply: branchReply,
  },
  removeBranch: { method: "DELETE", path: "branches/{id}", params: idParams, reply: removedReply },
  listBranches: { method: "GET", path: "branches", query: branchesWire, reply: branchesReply },
  createBranch: { method: "POST", path: "branches", body: createBranchWire, reply: branchReply },
  updateOutlet: {
    method: "PUT",
    path: "outlets/{id}",
    params: idParams,
    body: updateBranchWire,
    reply: branchReply,
  },
  removeOutlet: { method: "DELETE", path: "outlets/{id}", params: idParams, reply: removedReply },
  listOutlets: { method: "GET", path: "outlets", query: branchesWire, reply: branchesReply },
  createOutlet: { method: "POST", path: "outlets", body: createBranchWire, reply: branchReply },
} as const;
