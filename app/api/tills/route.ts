import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { codedTillReply, createTillWire, tillsReply, tillsWire } from "@/lib/http/wire/till";
import { createTill } from "@/lib/tills/manage-tills";
import { listTills } from "@/lib/tills/read-tills";

export const GET = route({
  run: listTills,
  summary: "The tills that the caller may see, newest first: those in use by default.",
  tag: "Tills",
  query: tillsWire,
  reply: tillsReply,
});

export const POST = route({
  run: createTill,
  summary: "Creates a till at a branch. Its pairing code is in this answer only, for ten minutes.",
  tag: "Tills",
  body: createTillWire,
  reply: codedTillReply,
  message: "api.tillAdded",
  example: { iBranchId: "0199aa10-7c4e-7d11-8a54-5f7e0c3b2d19", sName: "Till 1" },
});

export const { DELETE, OPTIONS, PATCH, PUT } = otherMethods("GET", "POST");
