/** What any posting at a counter may be refused for, besides what is its own. */
export const POSTING_REFUSALS = [
  "branch_mismatch",
  "merchant_unavailable",
  "customer_blocked",
  "customer_frozen",
  "customer_erased",
  "own_card",
] as const;

/** What the ledger may refuse a top-up for, with or without a connection. */
export const TOP_UP_REFUSALS = [
  ...POSTING_REFUSALS,
  "below_minimum",
  "above_maximum",
  "balance_limit",
  "daily_cap",
] as const;
