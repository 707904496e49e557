import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { findRedemptionsQuery, recentReply } from "@/lib/http/wire/money";
import { findRedemptions } from "@/lib/ledger/find-redemptions";

export const GET = route({
  run: findRedemptions,
  summary:
    "The redemptions with this bill number that the caller may refund, newest first; iLeftToRefund says how much of each.",
  tag: "Counter",
  query: findRedemptionsQuery,
  reply: recentReply,
});

export const { DELETE, OPTIONS, PATCH, POST, PUT } = otherMethods("GET");
