import { route } from "@/lib/http/route";
import { existsReply } from "@/lib/http/wire/counter";
import { emailExistWire } from "@/lib/http/wire/merchant";
import { emailExists } from "@/lib/merchants/read-merchants";

export const POST = route({
  run: emailExists,
  summary: "Whether somebody signs in with this e-mail already.",
  tag: "Merchants",
  body: emailExistWire,
  reply: existsReply,
  limit: "exists",
  example: { sEmail: "owner@karak.test" },
});
