import { createBranch } from "@/lib/branches/change-branches";
import { listBranches } from "@/lib/branches/read-branches";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { branchesReply, branchesWire, branchReply, createBranchWire } from "@/lib/http/wire/branch";

export const GET = route({
  run: listBranches,
  summary: "The branches that the caller may see, newest first by default.",
  tag: "Branches",
  query: branchesWire,
  reply: branchesReply,
});

export const POST = route({
  run: createBranch,
  summary: "Creates a branch of the caller's merchant. A super_admin gives iMerchantId.",
  tag: "Branches",
  body: createBranchWire,
  reply: branchReply,
  message: "api.branchAdded",
  example: { sBranchName: "The Pearl", sCity: "Doha" },
});

export const { DELETE, OPTIONS, PATCH, PUT } = otherMethods("GET", "POST");
