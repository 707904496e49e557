import { route } from "@/lib/http/route";
import { totalsReply } from "@/lib/http/wire/totals";
import { customerTotals } from "@/lib/totals/counts";

export const GET = route({
  run: customerTotals,
  summary: "The caller's customers in numbers, as a list of one.",
  tag: "Customers",
  reply: totalsReply,
});
