import { profile } from "@/lib/accounts/profile";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { profileReply } from "@/lib/http/wire/account";

export const GET = route({
  run: profile,
  summary: "The user of the session, with their merchant.",
  tag: "Accounts",
  reply: profileReply,
});

export const { DELETE, OPTIONS, PATCH, POST, PUT } = otherMethods("GET");
