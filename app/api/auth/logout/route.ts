import { signOut } from "@/lib/accounts/own-sessions";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { doneReply } from "@/lib/http/wire/account";

export const POST = route({
  run: signOut,
  summary: "Ends the caller's session.",
  tag: "Accounts",
  reply: doneReply,
  message: "api.loggedOut",
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, PUT } = otherMethods("POST");
