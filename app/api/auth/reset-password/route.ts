import { resetPassword } from "@/lib/accounts/set-password";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { doneReply, resetPasswordWire } from "@/lib/http/wire/account";

export const POST = route({
  run: resetPassword,
  summary: "Sets a new password with the secret of a mailed link, which works once.",
  tag: "Accounts",
  body: resetPasswordWire,
  reply: doneReply,
  message: "api.passwordChanged",
  example: { sToken: "the secret of the mailed link", sPassword: "a long new password" },
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, PUT } = otherMethods("POST");
