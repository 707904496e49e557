import { confirmTotp, startTotp } from "@/lib/accounts/factors/enrol";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { confirmTotpWire, enrolledReply, newTotpReply } from "@/lib/http/wire/second-factor";

export const POST = route({
  run: startTotp,
  summary: "Begins an authenticator app: its secret, which counts for nothing until it is confirmed.",
  tag: "Accounts",
  reply: newTotpReply,
});

export const PUT = route({
  run: confirmTotp,
  summary:
    "Confirms the authenticator app by its first code. The account's first factor comes with ten recovery codes, shown once.",
  tag: "Accounts",
  body: confirmTotpWire,
  reply: enrolledReply,
  example: { sCode: "123456", sName: "Work phone" },
});

export const { DELETE, GET, HEAD, OPTIONS, PATCH } = otherMethods("POST", "PUT");
