import { ROLES, type Role } from "./roles";

/** How far a permission reaches: everything, the actor's merchant, or what is the actor's own. */
export type Scope = "any" | "merchant" | "own";

/** Whom a permission is given to: a user by role, else the kind of actor; a stranger is no actor at all. */
export type Grantee = Role | "apiKey" | "cardHolder" | "system" | "stranger";

type Grants = Partial<Record<Grantee, Scope>>;

/** The one table of who may do what. Absent means no. */
export const POLICY = {
  "account.own": { super_admin: "own", admin: "own", merchant_owner: "own", branch_worker: "own" },
  "merchants.read": { super_admin: "any", admin: "any" },
  "merchants.decide": { super_admin: "any", admin: "any" },
  "merchant.profile": { merchant_owner: "merchant" },
  "outlets.manage": { super_admin: "any" },
  "branches.manage": { super_admin: "any", merchant_owner: "merchant" },
  "workers.manage": { super_admin: "any", merchant_owner: "merchant" },
  "config.read": { super_admin: "any", admin: "any", merchant_owner: "merchant" },
  "config.edit": { super_admin: "any", admin: "any" },
  "customers.read": { super_admin: "any", merchant_owner: "merchant" },
  "customers.edit": { super_admin: "any", merchant_owner: "merchant" },
  "customers.find": { super_admin: "any", merchant_owner: "merchant", branch_worker: "merchant" },
  "money.topUp": {
    super_admin: "any",
    merchant_owner: "merchant",
    branch_worker: "merchant",
    apiKey: "merchant",
  },
  "money.redeem": {
    super_admin: "any",
    merchant_owner: "merchant",
    branch_worker: "merchant",
    apiKey: "merchant",
  },
  "money.reverse": {
    super_admin: "any",
    merchant_owner: "merchant",
    branch_worker: "own",
    apiKey: "merchant",
  },
  "money.bonus": { super_admin: "any", merchant_owner: "merchant" },
  /** A worker within the merchant's days for it, which posting knows. */
  "money.refund": { super_admin: "any", merchant_owner: "merchant", branch_worker: "merchant" },
  "movements.read": {
    super_admin: "any",
    merchant_owner: "merchant",
    branch_worker: "own",
    apiKey: "merchant",
  },
  "ledger.verify": { super_admin: "any", merchant_owner: "merchant" },
  "reports.read": { super_admin: "any", merchant_owner: "merchant" },
  "totals.read": { super_admin: "any", admin: "any", merchant_owner: "merchant" },
  /** A card by its private id: whoever has the id may see it, its holder sees the live code too. */
  "card.view": { cardHolder: "own", stranger: "any" },
  "card.own": { cardHolder: "own" },
  /** By the link of a receipt, which was mailed to the holder. */
  "card.freeze": { cardHolder: "own" },
  /** By the token inside a wallet pass. */
  "pass.own": { cardHolder: "own" },
  "jobs.run": { system: "any" },
} as const satisfies Record<string, Grants>;

export type Permission = keyof typeof POLICY;

type GrantedTo<G extends Grantee> = {
  [P in Permission]: Extract<keyof (typeof POLICY)[P], G> extends never ? never : P;
}[Permission];

/** What users hold (and API keys some of): asked with a session. */
export type StaffPermission = GrantedTo<Role>;
/** What only the holder of a card may do. */
export type HolderPermission = Exclude<GrantedTo<"cardHolder">, GrantedTo<"stranger">>;

/** The scope in which a role or a kind of actor holds a permission, or null when it does not. */
export function scopeOf(grantee: Grantee, permission: Permission): Scope | null {
  return (POLICY[permission] as Grants)[grantee] ?? null;
}

/** Whether a permission is one of users, so that a session is asked for before anything is read. */
export function isStaffPermission(permission: Permission | "public"): permission is StaffPermission {
  return permission !== "public" && ROLES.some((role) => scopeOf(role, permission) !== null);
}
