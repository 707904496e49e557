import { renewRecoveryCodes } from "@/lib/accounts/factors/manage";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { recoveryCodesReply } from "@/lib/http/wire/second-factor";

export const POST = route({
  run: renewRecoveryCodes,
  summary: "Ten new recovery codes, shown once. The old ones stop working.",
  tag: "Accounts",
  reply: recoveryCodesReply,
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH, PUT } = otherMethods("POST");
