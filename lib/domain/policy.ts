import { ROLES, type Role } from "./roles";

/** The scope of a permission: every record, the actor's merchant, or the actor's own records. */
export type Scope = "any" | "merchant" | "own";

/** A role, a worker whose session a PIN opened on a till (cashier: it only serves), another kind of actor, or a stranger. */
export type Grantee = Role | "cashier" | "apiKey" | "till" | "cardHolder" | "system" | "stranger";

type Grants = Partial<Record<Grantee, Scope>>;

const OF_USERS = { super_admin: "own", admin: "own", merchant_owner: "own", branch_worker: "own" } as const;
const SERVING = {
  super_admin: "any",
  merchant_owner: "merchant",
  branch_worker: "merchant",
  cashier: "merchant",
  apiKey: "merchant",
} as const;

/** The grants of a merchant's people for what they did: an owner for all of it, an employee for their own. */
const OF_DOERS = {
  super_admin: "any",
  merchant_owner: "merchant",
  branch_worker: "own",
  cashier: "own",
} as const;

/** The only table of permissions. A missing entry means no access. */
export const POLICY = {
  /** The caller with their merchant. An API key is answered its own record. */
  "profile.read": { ...OF_USERS, apiKey: "merchant" },
  "account.own": OF_USERS,
  /** Sign-out, second factors, step-up, language: open also to who must set a second factor first. */
  "account.security": OF_USERS,
  "session.end": { ...OF_USERS, cashier: "own" },
  "pin.own": { branch_worker: "own" },
  "admins.manage": { super_admin: "any" },
  "merchants.read": { super_admin: "any", admin: "any" },
  "merchants.decide": { super_admin: "any", admin: "any" },
  "merchants.suspend": { super_admin: "any" },
  "platform.settings": { super_admin: "any" },
  "merchant.settings": { super_admin: "any", merchant_owner: "merchant" },
  "merchant.profile": { merchant_owner: "merchant" },
  "outlets.manage": { super_admin: "any" },
  "branches.manage": { super_admin: "any", merchant_owner: "merchant" },
  "workers.manage": { super_admin: "any", merchant_owner: "merchant" },
  "config.read": { super_admin: "any", admin: "any", merchant_owner: "merchant" },
  "config.edit": { super_admin: "any", admin: "any" },
  "customers.read": { super_admin: "any", merchant_owner: "merchant", apiKey: "merchant" },
  "customers.edit": { super_admin: "any", merchant_owner: "merchant" },
  /** The private id of a customer, which opens the card (lib/customers/model/customer-id.ts). Everybody else sees the public id. */
  "customers.privateId": { super_admin: "any", merchant_owner: "merchant" },
  "customers.find": SERVING,
  "money.topUp": SERVING,
  "money.redeem": SERVING,
  "money.reverse": OF_DOERS,
  "money.bonus": { super_admin: "any", merchant_owner: "merchant", apiKey: "merchant" },
  /** Workers may refund within the merchant's period for refunds, which the posting checks. */
  "money.refund": SERVING,
  "movements.read": { ...OF_DOERS, apiKey: "merchant" },
  "receipts.print": OF_DOERS,
  /** Files of movements: not on a till. */
  "movements.export": { super_admin: "any", merchant_owner: "merchant", branch_worker: "own" },
  /** The keys of other software, which a key itself never manages. */
  "apiKeys.manage": { super_admin: "any", merchant_owner: "merchant" },
  "events.read": { super_admin: "any", merchant_owner: "merchant", apiKey: "merchant" },
  "webhooks.manage": { super_admin: "any", merchant_owner: "merchant", apiKey: "merchant" },
  "tills.manage": { super_admin: "any", merchant_owner: "merchant" },
  /** Owners run shifts at any of their tills, employees ("own") at the till of the request's till proof. */
  "shifts.run": OF_DOERS,
  /** The entries that a till kept without a connection. The request carries the till proof. */
  "tills.sync": { merchant_owner: "merchant", branch_worker: "merchant", cashier: "merchant" },
  "offline.resolve": { super_admin: "any", merchant_owner: "merchant" },
  /** Only the till proof authenticates these requests. */
  "till.own": { till: "own" },
  "ledger.verify": { super_admin: "any", merchant_owner: "merchant" },
  "reports.read": { super_admin: "any", merchant_owner: "merchant" },
  "notices.read": { super_admin: "any", admin: "any", merchant_owner: "merchant" },
  /** The search over a panel: each part of it asks for its own permission too. */
  "panel.search": { super_admin: "any", admin: "any", merchant_owner: "merchant", branch_worker: "merchant" },
  "activity.read": { super_admin: "any", admin: "any", merchant_owner: "merchant" },
  "totals.read": { super_admin: "any", admin: "any", merchant_owner: "merchant" },
  /** Anyone with the private id may see a card. Only its holder sees the live code. */
  "card.view": { cardHolder: "own", stranger: "any" },
  "card.own": { cardHolder: "own" },
  /** Authenticated by the link in a mailed receipt. */
  "card.freeze": { cardHolder: "own" },
  /** Authenticated by a mailed link that stops a change of the e-mail, or ends a device. */
  "card.stop": { cardHolder: "own" },
  /** Authenticated by the token inside a wallet pass. */
  "pass.own": { cardHolder: "own" },
  "jobs.run": { system: "any" },
} as const satisfies Record<string, Grants>;

export type Permission = keyof typeof POLICY;

export type GrantedTo<G extends Grantee> = {
  [P in Permission]: Extract<keyof (typeof POLICY)[P], G> extends never ? never : P;
}[Permission];

/** Permissions of users, some of which API keys share. They require a session. */
export type StaffPermission = GrantedTo<Role>;
export type HolderPermission = Exclude<GrantedTo<"cardHolder">, GrantedTo<"stranger">>;

/** The scope of a permission for a role or a kind of actor, or null without access. */
export function scopeOf(grantee: Grantee, permission: Permission): Scope | null {
  return (POLICY[permission] as Grants)[grantee] ?? null;
}

/** Whether a permission belongs to users. Adapters then require a session before they read the request. */
export function isStaffPermission(permission: Permission | "public"): permission is StaffPermission {
  return permission !== "public" && ROLES.some((role) => scopeOf(role, permission) !== null);
}
