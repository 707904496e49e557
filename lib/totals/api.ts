import { type ApiRow, bind } from "@/lib/calls/bind";
import { customerTotals } from "./counts";
import { totalsCalls } from "./names";

/** The calls of totals with their operations. */
export const totalsApi: readonly ApiRow[] = [
  bind(totalsCalls.customerTotals, customerTotals, {
    summary: "Totals of the caller's customers, as a list with one element.",
    tag: "Customers",
  }),
];
