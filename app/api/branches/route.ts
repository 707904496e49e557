import { createBranch } from "@/lib/branches/change-branches";
import { listBranches } from "@/lib/branches/read-branches";
import { route } from "@/lib/http/route";
import { branchesReply, branchesWire, branchReply, createBranchWire } from "@/lib/http/wire/branch";

export const GET = route({
  run: listBranches,
  summary: "The branches within reach, newest first unless sorted.",
  tag: "Branches",
  query: branchesWire,
  reply: branchesReply,
});

export const POST = route({
  run: createBranch,
  summary: "Open a branch of your merchant; a super_admin names iMerchantId.",
  tag: "Branches",
  body: createBranchWire,
  reply: branchReply,
  message: "api.branchAdded",
  example: { sBranchName: "The Pearl", sCity: "Doha" },
});
