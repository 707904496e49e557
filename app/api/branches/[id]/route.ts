import { removeBranch, updateBranch } from "@/lib/branches/change-branches";
import { getBranch } from "@/lib/branches/read-branches";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { branchReply, idParams, removedReply, updateBranchWire } from "@/lib/http/wire/branch";

export const GET = route({
  run: getBranch,
  summary: "One branch.",
  tag: "Branches",
  params: idParams,
  reply: branchReply,
});

export const PUT = route({
  run: updateBranch,
  summary: "Renames, archives or reopens a branch. Fields that are left out keep their values.",
  tag: "Branches",
  params: idParams,
  body: updateBranchWire,
  reply: branchReply,
  message: "api.branchUpdated",
  example: { sBranchName: "The Pearl", sCity: "Doha", bArchived: false },
});

export const DELETE = route({
  run: removeBranch,
  summary: "Deletes an unused branch, or archives one with movements or workers.",
  tag: "Branches",
  params: idParams,
  reply: removedReply,
  message: "api.branchRemoved",
});

export const { OPTIONS, PATCH, POST } = otherMethods("GET", "PUT", "DELETE");
