/** The scopes of API keys, in the order in which the owner's page shows them. A CHECK of api_keys knows the same. */
export const KEY_SCOPES = [
  "customers.find",
  "customers.read",
  "topup",
  "redeem",
  "refund",
  "bonus",
  "movements.read",
  "events.read",
  "webhooks",
] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** The name of each scope in the catalogues, below `apiKeys.scope`. */
export const SCOPE_TEXTS = {
  "customers.find": "findCustomer",
  "customers.read": "readCustomer",
  topup: "topUp",
  redeem: "redeem",
  refund: "refund",
  bonus: "giveBonus",
  "movements.read": "readLog",
  "events.read": "readEvents",
  webhooks: "manageWebhooks",
} as const satisfies Record<KeyScope, string>;
