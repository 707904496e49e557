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

/** The scopes that open a call today: events and webhooks have none yet. */
export const OFFERED_SCOPES = KEY_SCOPES.filter((scope) => scope !== "events.read" && scope !== "webhooks");

type WithoutDot<Scope> = Scope extends `${infer Start}.${infer End}` ? `${Start}_${End}` : Scope;
/** The name of a scope in the catalogues, whose keys have no dots. */
export const scopeKey = <Scope extends KeyScope>(scope: Scope) =>
  scope.replace(".", "_") as WithoutDot<Scope>;
