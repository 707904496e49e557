import { listFactors } from "@/lib/accounts/factors/manage";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { factorsReply } from "@/lib/http/wire/second-factor";

export const GET = route({
  run: listFactors,
  summary: "The caller's passkeys and authenticator app, and how many recovery codes are left.",
  tag: "Accounts",
  reply: factorsReply,
});

export const { DELETE, OPTIONS, PATCH, POST, PUT } = otherMethods("GET");
