import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { checkReply, lastCheckReply, merchantQuery } from "@/lib/http/wire/ledger";
import { lastCheck, startCheck } from "@/lib/ledger/run-check";

export const GET = route({
  run: lastCheck,
  summary: "The latest check of a merchant's ledger, running or done; null when there was none.",
  tag: "Ledger",
  query: merchantQuery,
  reply: lastCheckReply,
});

export const POST = route({
  run: startCheck,
  summary: "Starts a check of a merchant's ledger, or answers the check that is already running.",
  tag: "Ledger",
  query: merchantQuery,
  reply: checkReply,
});

export const { DELETE, OPTIONS, PATCH, PUT } = otherMethods("GET", "POST");
