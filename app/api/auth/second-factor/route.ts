import { confirmLogIn } from "@/lib/accounts/confirm-sign-in";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { loginReply } from "@/lib/http/wire/account";
import { confirmSignInWire } from "@/lib/http/wire/second-factor";

export const POST = route({
  run: confirmLogIn,
  summary:
    "The second step of a sign-in: the challenge of `auth/login` with a code or a passkey, or that of `auth/passkey-options` with a passkey.",
  tag: "Accounts",
  body: confirmSignInWire,
  more: ({ headers }) => ({ userAgent: headers.get("user-agent") }),
  reply: loginReply,
  message: "api.loggedIn",
  example: { sChallenge: "the challenge of the first step", sCode: "123456" },
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, PUT } = otherMethods("POST");
