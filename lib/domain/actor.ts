import { DomainError } from "./errors";
import type { Permission } from "./policy";
import { scopeOf } from "./policy";
import type { Locale, Role } from "./roles";

export type MerchantStatus = "pending" | "approved" | "rejected";

/** Who is asking: read from the database on every request, never from the cookie alone. */
export type Actor = {
  userId: string;
  role: Role;
  email: string;
  phone: string | null;
  firstName: string;
  lastName: string;
  locale: Locale | null;
  /** Null for administrators. */
  merchantId: string | null;
  merchantStatus: MerchantStatus | null;
  merchantStatusReason: string | null;
  /** A worker's home branch. */
  branchId: string | null;
  sessionId: string;
  /** The session's public name, kept in localStorage.token. */
  handle: string;
};

/** A permission's reach for one actor: becomes the `where` of what is read or written. */
export type Reach =
  | { scope: "any" }
  | { scope: "merchant"; merchantId: string }
  | { scope: "own"; userId: string; merchantId: string | null };

/**
 * The reach of a permission for this actor.
 * Throws forbidden when the role lacks it, merchant_pending or merchant_rejected when the merchant is not approved
 * (the account itself stays open to it).
 */
export function authorize(actor: Actor, permission: Permission): Reach {
  const scope = scopeOf(actor.role, permission);
  if (scope === null) throw new DomainError("forbidden");
  if (permission !== "account.own" && permission !== "merchant.profile") {
    if (actor.merchantStatus === "pending") throw new DomainError("merchant_pending");
    if (actor.merchantStatus === "rejected") {
      throw new DomainError("merchant_rejected", { reason: actor.merchantStatusReason ?? "" });
    }
  }
  if (scope === "any") return { scope };
  if (scope === "own") return { scope, userId: actor.userId, merchantId: actor.merchantId };
  if (actor.merchantId === null) throw new DomainError("forbidden");
  return { scope, merchantId: actor.merchantId };
}

/** The merchant filter of a reach: everything for "any", else the actor's own merchant. */
export function merchantWhere(reach: Reach): { merchantId?: string } {
  if (reach.scope === "any" || reach.merchantId === null) return {};
  return { merchantId: reach.merchantId };
}

/**
 * The merchant whose thing is made: the own one, or the one a super_admin names.
 * Throws validation when a super_admin names none, merchant_not_found when someone names another's.
 */
export function merchantOf(reach: Reach, named: string | undefined): string {
  if (reach.scope === "any") {
    if (named) return named;
    throw new DomainError("validation", {}, [
      { path: "merchantId", message: "validation.merchant.required" },
    ]);
  }
  if (reach.merchantId === null || (named && named !== reach.merchantId)) {
    throw new DomainError("merchant_not_found");
  }
  return reach.merchantId;
}
