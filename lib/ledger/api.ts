import { bind, tagged } from "@/lib/calls/bind";
import { giveBonus, redeem, refund, reverse, topUp } from "./move-points";
import { ledgerCalls, POSTS } from "./names";
import {
  exportMovements,
  findRedemptions,
  listMovements,
  movementsCsv,
  recentMovements,
  viewMovement,
} from "./read-movements";
import { lastCheck, startCheck } from "./run-check";

export const ledgerApi = tagged("Counter", [
  bind(ledgerCalls.giveBonus, giveBonus, {
    summary:
      "Gives a customer bonus points, which are good through the day dEndsAt in Qatar, or for ever without one.",
    ...POSTS,
    message: "api.bonusGiven",
    example: {
      customerId: "7f9c24e8-3b12-4f5c-9f0e-2d4b8a6c1e57",
      sPoints: 50,
      iBranchId: "0199aa10-7c4e-7d11-8a54-5f7e0c3b2d19",
      sReason: "National Day",
      dEndsAt: "2026-12-31",
    },
  }),
  bind(ledgerCalls.lastCheck, lastCheck, {
    summary: "The latest check of a merchant's ledger, running or done; null when there was none.",
    tag: "Ledger",
  }),
  bind(ledgerCalls.startCheck, startCheck, {
    summary: "Starts a check of a merchant's ledger, or answers the check that is already running.",
    tag: "Ledger",
  }),
  bind(ledgerCalls.recentRedeems, recentMovements, {
    summary:
      "The latest redemptions of the caller's reach, newest first; undoUntil says until when one may be undone.",
    more: () => ({ type: "REDEEM" as const }),
  }),
  bind(ledgerCalls.recentTopUps, recentMovements, {
    summary:
      "The latest top-ups of the caller's reach, newest first; undoUntil says until when one may be undone.",
    more: () => ({ type: "TOP_UP" as const }),
  }),
  bind(ledgerCalls.findRedemptions, findRedemptions, {
    summary:
      "The redemptions with this bill number that the caller may refund, newest first; iLeftToRefund says how much of each.",
  }),
  bind(ledgerCalls.redeem, redeem, {
    summary:
      "Takes points from a customer's balance. Past the day's allowance it answers 403 proof_required until sProof holds the card's live code or the mailed code.",
    ...POSTS,
    message: "api.redeemed",
    example: {
      customerId: "7f9c24e8-3b12-4f5c-9f0e-2d4b8a6c1e57",
      sPoints: 40,
      iBranchId: "0199aa10-7c4e-7d11-8a54-5f7e0c3b2d19",
      sSaleRef: "INV-1043",
    },
  }),
  bind(ledgerCalls.topUp, topUp, {
    summary: "Adds points to a customer's balance at a branch of the merchant that holds the card.",
    ...POSTS,
    message: "api.toppedUp",
    example: {
      customerId: "7f9c24e8-3b12-4f5c-9f0e-2d4b8a6c1e57",
      sPoints: 100,
      iBranchId: "0199aa10-7c4e-7d11-8a54-5f7e0c3b2d19",
      eTender: "card",
      sSaleRef: "INV-1042",
    },
  }),
  bind(ledgerCalls.refund, refund, {
    summary: "Refunds a redemption or a part of it: paid points first, then the bonus it used.",
    ...POSTS,
    message: "api.refunded",
    example: { sPoints: 15, sReason: "One of two coffees returned", sSaleRef: "INV-1043" },
  }),
  bind(ledgerCalls.reverse, reverse, {
    summary: "Reverses a transaction by posting its opposite. A repeated request answers the same reversal.",
    ...POSTS,
    message: "api.reversed",
    example: { sReason: "Wrong customer" },
  }),
  bind(ledgerCalls.exportMovements, exportMovements, {
    summary:
      "The filtered transactions as a CSV stream (UTF-8 with a byte order mark, RFC 4180, formulas escaped).",
    tag: "Transactions",
    respond: { contentType: "text/csv", from: (parts, ctx) => movementsCsv(ctx.locale, parts) },
  }),
  bind(ledgerCalls.viewMovement, viewMovement, {
    summary: "One transaction within the caller's reach, with what it reverses or what reversed it.",
    tag: "Transactions",
  }),
  bind(ledgerCalls.listMovements, listMovements, {
    summary: "The transactions that the caller may see, newest first by default, by filter and cursor.",
    tag: "Transactions",
  }),
]);
