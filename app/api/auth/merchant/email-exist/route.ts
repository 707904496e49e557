import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { existsReply } from "@/lib/http/wire/counter";
import { emailExistWire } from "@/lib/http/wire/merchant";
import { emailExists } from "@/lib/merchants/read-merchants";

export const POST = route({
  run: emailExists,
  summary: "Whether an account with this email already exists.",
  tag: "Merchants",
  body: emailExistWire,
  reply: existsReply,
  limit: "exists",
  example: { sEmail: "owner@karak.test" },
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, PUT } = otherMethods("POST");
