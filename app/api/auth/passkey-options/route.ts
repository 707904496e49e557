import { askForPasskey } from "@/lib/accounts/confirm-sign-in";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { factorRequestReply } from "@/lib/http/wire/second-factor";

export const POST = route({
  run: askForPasskey,
  summary:
    "Begins a sign-in with a passkey alone: a challenge for `auth/second-factor`, good for five minutes.",
  tag: "Accounts",
  reply: factorRequestReply,
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, PUT } = otherMethods("POST");
