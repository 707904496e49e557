import { resetPassword } from "@/lib/accounts/set-password";
import { route } from "@/lib/http/route";
import { doneReply, resetPasswordWire } from "@/lib/http/wire/account";

export const POST = route({
  run: resetPassword,
  summary: "Choose a new password with the secret of a mailed link, once.",
  tag: "Accounts",
  body: resetPasswordWire,
  reply: doneReply,
  message: "api.passwordChanged",
  example: { sToken: "the secret of the mailed link", sPassword: "a long new password" },
});
