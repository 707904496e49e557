import { askToStepUp, stepUp } from "@/lib/accounts/step-up";
import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { factorRequestReply, stepUpReply, stepUpWire } from "@/lib/http/wire/second-factor";

export const GET = route({
  run: askToStepUp,
  summary: "How the caller can confirm who they are, with the challenge for a passkey.",
  tag: "Accounts",
  reply: factorRequestReply,
});

export const POST = route({
  run: stepUp,
  summary:
    "Confirms who the caller is, for five minutes: by the second factor where one is set, else by the password. Calls that need it answer 403 `step_up_required` without it.",
  tag: "Accounts",
  body: stepUpWire,
  reply: stepUpReply,
  example: { sPassword: "demo-wallet-2026" },
});

export const { DELETE, OPTIONS, PATCH, PUT } = otherMethods("GET", "POST");
