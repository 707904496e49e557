import { removeOutlet, updateOutlet } from "@/lib/branches/change-branches";
import { route } from "@/lib/http/route";
import { branchReply, idParams, removedReply, updateBranchWire } from "@/lib/http/wire/branch";

export const PUT = route({
  run: updateOutlet,
  summary: "Rename, archive or reopen any merchant's branch; what is left out stays as it is.",
  tag: "Outlets",
  params: idParams,
  body: updateBranchWire,
  reply: branchReply,
  message: "api.branchUpdated",
  example: { sBranchName: "The Pearl", sCity: "Doha", bArchived: false },
});

export const DELETE = route({
  run: removeOutlet,
  summary: "Delete an outlet that was never used; one with movements or workers is archived.",
  tag: "Outlets",
  params: idParams,
  reply: removedReply,
  message: "api.branchRemoved",
});
