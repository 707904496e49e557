import { profile } from "@/lib/accounts/profile";
import { route } from "@/lib/http/route";
import { profileReply } from "@/lib/http/wire/account";

export const GET = route({
  run: profile,
  summary: "The user of the session, with their merchant.",
  tag: "Accounts",
  reply: profileReply,
});
