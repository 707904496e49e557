/** The refusals of any posting that concern the card, its merchant or who posts. */
export const CARD_REFUSALS = [
  "merchant_unavailable",
  "customer_blocked",
  "customer_frozen",
  "customer_erased",
  "own_card",
] as const;

/** The refusals of any posting at a branch. */
export const POSTING_REFUSALS = ["branch_mismatch", ...CARD_REFUSALS] as const;

/** The refusals of a top-up by the ledger, with or without a connection. */
export const TOP_UP_REFUSALS = [
  ...POSTING_REFUSALS,
  "below_minimum",
  "above_maximum",
  "balance_limit",
  "daily_cap",
] as const;
