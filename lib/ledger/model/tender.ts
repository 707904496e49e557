/** How a top-up was paid for. */
export const TENDERS = ["cash", "card", "bank", "online", "other"] as const;
export type Tender = (typeof TENDERS)[number];
