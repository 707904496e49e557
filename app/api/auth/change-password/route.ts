import { changePassword } from "@/lib/accounts/set-password";
import { cookieLine, sessionCookie } from "@/lib/http/cookies";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { changePasswordWire, passwordChangedReply } from "@/lib/http/wire/account";

export const PUT = route({
  run: changePassword,
  summary:
    "Changes the caller's password, ends all other sessions and gives this one a new token, in the answer or in the panel's cookie.",
  tag: "Accounts",
  body: changePasswordWire,
  reply: passwordChangedReply,
  headers: ({ cookie }) => (cookie === null ? [] : [["Set-Cookie", cookieLine(sessionCookie(cookie))]]),
  message: "api.passwordChanged",
  example: { sOldPassword: "demo-wallet-2026", sNewPassword: "a long new password" },
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST } = otherMethods("PUT");
