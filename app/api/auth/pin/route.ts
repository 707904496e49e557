import { pinSignIn, setPin } from "@/lib/accounts/pin";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { doneReply, loginReply } from "@/lib/http/wire/account";
import { pinSignInWire, setPinWire } from "@/lib/http/wire/till";

export const POST = route({
  run: pinSignIn,
  summary: "Signs a worker in on the proving till by PIN. The session only serves, with the till's proof.",
  tag: "Tills",
  secret: "till",
  body: pinSignInWire,
  more: ({ headers }) => ({ userAgent: headers.get("user-agent") }),
  reply: loginReply,
  message: "api.loggedIn",
  example: { iWorkerId: "0199aa10-7c4e-7d11-8a54-5f7e0c3b2d19", sPin: "580314" },
});

export const PUT = route({
  run: setPin,
  summary: "Sets the worker's PIN for the tills: six digits, with the password.",
  tag: "Tills",
  body: setPinWire,
  reply: doneReply,
  message: "api.pinSet",
  example: { sPassword: "demo-wallet-2026", sPin: "580314" },
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH } = otherMethods("POST", "PUT");
