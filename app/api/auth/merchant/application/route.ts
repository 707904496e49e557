import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { reapplyReply, reapplyWire } from "@/lib/http/wire/merchant";
import { reapply } from "@/lib/merchants/reapply";

export const POST = route({
  run: reapply,
  summary: "A rejected merchant applies again, with further documents. An administrator decides anew.",
  tag: "Merchants",
  body: reapplyWire,
  reply: reapplyReply,
  message: "api.merchantReceived",
  example: { sMessage: "The new trade licence is attached." },
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, PUT } = otherMethods("POST");
