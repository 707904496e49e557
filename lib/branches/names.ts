import { z } from "zod";
import { computed, fields, instant, nullable, otherwise, pageOf } from "@/lib/calls/codec";
import { idParams, merchantRef } from "@/lib/calls/fields";
import { same } from "@/lib/calls/names";

const branchReply = fields({
  _id: ["id", z.string()],
  sBranchName: ["name", z.string()],
  sBranchNameAr: ["nameAr", otherwise(nullable(z.string()), null)],
  sCity: ["city", z.string()],
  iMerchantId: [
    "merchantId",
    computed(z.string(), ({ merchant }: { merchant: { id: string } }) => merchant.id),
  ],
  merchant: ["merchant", merchantRef],
  /** The enabled workers whose home branch it is. */
  nWorkers: ["workers", z.number().int()],
  bArchived: ["archived", computed(z.boolean(), (of: { archivedAt: Date | null }) => of.archivedAt !== null)],
  dCreatedAt: ["createdAt", instant],
});
/** A branch (administrators call it an outlet). An archived branch keeps its movements and accepts no new ones. */
export type Branch = Parameters<typeof branchReply.from>[0];
const branchesReply = pageOf(branchReply);
/** Whether the branch was archived, because it had been used, or deleted. */
const removedReply = fields({ bArchived: ["archived", z.boolean()] });

/** `state` is open (default), archived or all. A minus before the field of `sort` sorts in descending order. */
const branchesWire = {
  ...same("search", "cursor", "limit", "state", "sort"),
  iMerchantId: "merchantId",
} as const;
const names = { sBranchName: "name", sBranchNameAr: "nameAr", sCity: "city" } as const;
const createBranchWire = { ...names, iMerchantId: "merchantId" } as const;
const updateBranchWire = { ...names, bArchived: "archived" } as const;

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
