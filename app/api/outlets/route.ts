import { createOutlet } from "@/lib/branches/change-branches";
import { listOutlets } from "@/lib/branches/read-branches";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { branchesReply, branchesWire, branchReply, createBranchWire } from "@/lib/http/wire/branch";

export const GET = route({
  run: listOutlets,
  summary: "The branches of all merchants, newest first by default.",
  tag: "Outlets",
  query: branchesWire,
  reply: branchesReply,
});

export const POST = route({
  run: createOutlet,
  summary: "Creates a branch of the merchant in iMerchantId.",
  tag: "Outlets",
  body: createBranchWire,
  reply: branchReply,
  message: "api.branchAdded",
  example: { sBranchName: "The Pearl", sCity: "Doha", iMerchantId: "01999999-0000-7000-8000-000000000001" },
});

export const { DELETE, OPTIONS, PATCH, PUT } = otherMethods("GET", "POST");
