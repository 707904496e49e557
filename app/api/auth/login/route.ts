import { logIn } from "@/lib/accounts/sign-in";
import { cookieLine, deviceCookie } from "@/lib/http/cookies";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { loginReply, loginWire } from "@/lib/http/wire/account";

export const POST = route({
  run: logIn,
  summary: "Signs in with email and password. Send the token as the raw Authorization header.",
  tag: "Accounts",
  body: loginWire,
  more: ({ headers }) => ({ userAgent: headers.get("user-agent") }),
  reply: loginReply,
  headers: ({ user }, { device }) => [["Set-Cookie", cookieLine(deviceCookie(device, user.email))]],
  message: "api.loggedIn",
  example: { sEmail: "owner@karak.test", sPassword: "demo-wallet-2026" },
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, PUT } = otherMethods("POST");
