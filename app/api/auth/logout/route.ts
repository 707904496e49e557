import { route } from "@/lib/http/route";
import { doneReply } from "@/lib/http/wire/account";
import { signOut } from "@/lib/sessions/sign-out";

export const POST = route({
  run: signOut,
  summary: "End the session that asks.",
  tag: "Accounts",
  reply: doneReply,
  message: "api.loggedOut",
});
