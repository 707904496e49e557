import { changePassword } from "@/lib/accounts/set-password";
import { route } from "@/lib/http/route";
import { changePasswordWire, doneReply } from "@/lib/http/wire/account";

export const PUT = route({
  run: changePassword,
  summary: "Changes the caller's password and ends all other sessions.",
  tag: "Accounts",
  body: changePasswordWire,
  reply: doneReply,
  message: "api.passwordChanged",
  example: { sOldPassword: "demo-wallet-2026", sNewPassword: "a long new password" },
});
