import { forgotPassword } from "@/lib/accounts/forgot-password";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { doneReply, forgotPasswordWire } from "@/lib/http/wire/account";

export const POST = route({
  run: forgotPassword,
  summary: "Emails a link to set a new password. The answer is the same whether or not the account exists.",
  tag: "Accounts",
  body: forgotPasswordWire,
  reply: doneReply,
  message: "api.resetSent",
  example: { sEmail: "owner@karak.test" },
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, PUT } = otherMethods("POST");
