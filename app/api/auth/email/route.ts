import { changeOwnEmail } from "@/lib/accounts/change-own-email";
import { cookieLine, sessionCookie } from "@/lib/http/cookies";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { changeOwnEmailWire, passwordChangedReply } from "@/lib/http/wire/account";

export const PUT = route({
  run: changeOwnEmail,
  summary:
    "Changes the caller's email by both codes, ends all other sessions and gives this one a new token, in the answer or in the panel's cookie.",
  tag: "Accounts",
  body: changeOwnEmailWire,
  reply: passwordChangedReply,
  headers: ({ cookie }) => (cookie === null ? [] : [["Set-Cookie", cookieLine(sessionCookie(cookie))]]),
  message: "api.emailChanged",
  example: { sEmail: "noora@karak.test", sCode: "123456", sOldCode: "654321" },
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST } = otherMethods("PUT");
