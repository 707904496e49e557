import { removeOutlet, updateOutlet } from "@/lib/branches/change-branches";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { branchReply, idParams, removedReply, updateBranchWire } from "@/lib/http/wire/branch";

export const PUT = route({
  run: updateOutlet,
  summary:
    "Renames, archives or reopens a branch of any merchant. Fields that are left out keep their values.",
  tag: "Outlets",
  params: idParams,
  body: updateBranchWire,
  reply: branchReply,
  message: "api.branchUpdated",
  example: { sBranchName: "The Pearl", sCity: "Doha", bArchived: false },
});

export const DELETE = route({
  run: removeOutlet,
  summary: "Deletes an unused outlet, or archives one with movements or workers.",
  tag: "Outlets",
  params: idParams,
  reply: removedReply,
  message: "api.branchRemoved",
});

export const { GET, HEAD, OPTIONS, PATCH, POST } = otherMethods("PUT", "DELETE");
