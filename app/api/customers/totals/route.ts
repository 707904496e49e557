import { otherMethods } from "@/lib/http/other-methods";
import { route } from "@/lib/http/route";
import { totalsReply } from "@/lib/http/wire/totals";
import { customerTotals } from "@/lib/totals/counts";

export const GET = route({
  run: customerTotals,
  summary: "Totals of the caller's customers, as a list with one element.",
  tag: "Customers",
  reply: totalsReply,
});

export const { DELETE, OPTIONS, PATCH, POST, PUT } = otherMethods("GET");
