import type { Role } from "./roles";

/** How far a permission reaches: everything, the actor's merchant, or what the actor did. */
export type Scope = "any" | "merchant" | "own";

type Grants = Partial<Record<Role, Scope>>;

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
  "money.topUp": { super_admin: "any", merchant_owner: "merchant", branch_worker: "merchant" },
  "money.redeem": { super_admin: "any", merchant_owner: "merchant", branch_worker: "merchant" },
  "money.reverse": { super_admin: "any", merchant_owner: "merchant", branch_worker: "own" },
  "movements.read": { super_admin: "any", merchant_owner: "merchant", branch_worker: "own" },
  "totals.read": { super_admin: "any", admin: "any", merchant_owner: "merchant" },
} as const satisfies Record<string, Grants>;

export type Permission = keyof typeof POLICY;

/** The scope in which a role holds a permission, or null when it does not. */
export function scopeOf(role: Role, permission: Permission): Scope | null {
  return (POLICY[permission] as Grants)[role] ?? null;
}
