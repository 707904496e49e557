import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { idParams } from "@/lib/http/wire/branch";
import { codedTillReply, tillReply, updateTillWire } from "@/lib/http/wire/till";
import { retireTill, updateTill } from "@/lib/tills/manage-tills";
import { getTill } from "@/lib/tills/read-tills";

export const GET = route({
  run: getTill,
  summary: "One till.",
  tag: "Tills",
  params: idParams,
  reply: tillReply,
});

export const PUT = route({
  run: updateTill,
  summary: "Renames or moves a till, opens its PIN sign-in, or makes another pairing code.",
  tag: "Tills",
  params: idParams,
  body: updateTillWire,
  reply: codedTillReply,
  message: "api.tillUpdated",
  example: { sName: "Till 1", iBranchId: "0199aa10-7c4e-7d11-8a54-5f7e0c3b2d19" },
});

export const DELETE = route({
  run: retireTill,
  summary: "Retires a till: its sessions end, and what it kept goes to the inbox for 30 days.",
  tag: "Tills",
  params: idParams,
  reply: tillReply,
  message: "api.tillRetired",
});

export const { OPTIONS, PATCH, POST } = otherMethods("GET", "PUT", "DELETE");
