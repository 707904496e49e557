import { signOut } from "@/lib/accounts/own-sessions";
import { route } from "@/lib/http/route";
import { doneReply } from "@/lib/http/wire/account";

export const POST = route({
  run: signOut,
  summary: "End the session that asks.",
  tag: "Accounts",
  reply: doneReply,
  message: "api.loggedOut",
});
