import { DomainError } from "./errors";
import type { KeyScope } from "./key-scopes";
import type { MerchantNames } from "./localized-names";
import {
  type Grantee,
  type HolderPermission,
  isStaffPermission,
  type Permission,
  type StaffPermission,
  scopeOf,
} from "./policy";
import { isAdministrator, type Locale, type Role } from "./roles";

export type MerchantStatus = "pending" | "approved" | "rejected";

type Key = string | null;
type MerchantFace = MerchantNames & { publicId: string; imageKey: Key; logoKey: Key; colour: string | null };

/** A user with a session. Every request reads it from the database, never from the cookie alone. */
export type UserActor = {
  type: "user";
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
  /** The reason for the merchant's suspension (it may be empty); null unless it is suspended. */
  merchantSuspension: string | null;
  /** The ways of paying that the merchant accepts; null where they were not read with the session. */
  merchantTenders: string[] | null;
  merchantFace: MerchantFace | null;
  /** A worker's home branch. */
  branchId: string | null;
  sessionId: string;
  /** The session's public name, kept in localStorage.token. */
  handle: string;
  /** Whether the session is a browser's cookie, and not a token of the API. */
  panel: boolean;
  secondFactor: boolean;
  factorRequired: boolean;
  /** Until when the user need not confirm again who they are; null if they never did. */
  steppedUpUntil: Date | null;
  /** The till that the session belongs to, where a PIN opened it. Adapters refuse it without the till's proof. */
  tillId: string | null;
  /** Whether the session wrote in the last five seconds. Known only where there is a replica to read. */
  wroteLately?: boolean;
};

/** A paired till that proved itself in this request. */
export type TillActor = { type: "till"; tillId: string; merchantId: string };

/** An API key of a merchant: the record, whichever of its secrets the request carries. */
export type ApiKeyActor = {
  type: "apiKey";
  keyId: string;
  name: string;
  scopes: readonly KeyScope[];
  /** The one branch that it posts at; null: any of the merchant. */
  branchId: string | null;
  merchantId: string;
  merchantStatus: MerchantStatus;
  merchantStatusReason: string | null;
  merchantSuspension: string | null;
};

/** The holder of one card, authenticated by a device's cookie, a mailed link or the card's wallet pass. */
export type CardHolderActor = {
  type: "cardHolder";
  customerId: string;
  merchantId: string;
  /** The device of the cookie; null when a link or a pass authenticated the holder. */
  deviceId: string | null;
};

export type SystemActor = { type: "system"; job: string };

/** The actor of an operation. A stranger has no actor (null). */
export type Actor = UserActor | ApiKeyActor | CardHolderActor | SystemActor | TillActor;
export type StaffActor = UserActor | ApiKeyActor;

/** The person who acts, as a merchant's owners know them: empty for an administrator and for a program. */
export function ownersNameOf(actor: Actor | null): string {
  if (actor?.type !== "user" || isAdministrator(actor.role)) return "";
  return `${actor.firstName} ${actor.lastName}`;
}

/** The kinds that the ledger and the audit log name; a till does nothing in its own name. */
export type ActorType = Exclude<Actor["type"], "till">;

/** The rows that a staff permission opens to one actor. Operations use it as their `where`. */
export type Reach =
  | { scope: "any" }
  | { scope: "merchant"; merchantId: string }
  | { scope: "own"; userId: string; merchantId: string | null };

export type HolderReach = { scope: "own"; customerId: string; merchantId: string };
export type CardReach = { scope: "any" } | HolderReach;

function granteeOf(actor: Actor | null): Grantee {
  if (actor === null) return "stranger";
  if (actor.type !== "user") return actor.type;
  return actor.tillId === null ? actor.role : "cashier";
}

function deniedError(actor: Actor | null, permission: Permission): DomainError {
  if (scopeOf("cardHolder", permission) !== null) return new DomainError("card_holder_required");
  return new DomainError(actor === null ? "unauthenticated" : "forbidden");
}

/** Whether an actor, or a stranger (null), has a permission in any scope, whatever the status of their merchant. */
export const hasPermission = (actor: Actor | null, permission: Permission): boolean =>
  scopeOf(granteeOf(actor), permission) !== null;

/** Permissions on the user's own account, which an owner has before their merchant is approved. */
const OWN_ACCOUNT: readonly Permission[] = [
  "profile.read",
  "account.own",
  "account.security",
  "session.end",
  "pin.own",
];

/** The permissions of a user who must set a second factor first. */
const ALWAYS_OPEN: readonly Permission[] = ["account.security", "session.end"];

/** Whether a permission is about the user's own account, whatever the status of their merchant. */
export const isOwnAccount = (permission: string): boolean => OWN_ACCOUNT.some((own) => own === permission);

/** Whether the user must set a second factor before anything else. */
export const mustEnrol = (actor: UserActor): boolean => actor.factorRequired && !actor.secondFactor;

/** Whether the user must confirm now who they are. A token of a sign-in without a second factor is never asked. */
export function mustStepUp(actor: UserActor, now: Date): boolean {
  if (!actor.panel && !actor.secondFactor) return false;
  return actor.steppedUpUntil === null || actor.steppedUpUntil <= now;
}

function assertApproved(actor: StaffActor, permission: Permission): void {
  if (actor.type === "user" && (isOwnAccount(permission) || permission === "merchant.profile")) return;
  const { merchantStatus, merchantStatusReason } = actor;
  if (merchantStatus === "pending") throw new DomainError("merchant_pending");
  if (merchantStatus === "rejected") {
    throw new DomainError("merchant_rejected", { reason: merchantStatusReason ?? "" });
  }
}

/**
 * The reach of a permission for this actor, or for a stranger (null). Throws unauthenticated, forbidden, card_holder_required
 * where only card holders have it, merchant_pending or merchant_rejected (not for the own account and the merchant's profile),
 * and enrolment_required for everything but sign-out and second factors, while the user must set one.
 */
export function authorize(actor: StaffActor, permission: StaffPermission): Reach;
export function authorize(actor: CardHolderActor | null, permission: HolderPermission): HolderReach;
export function authorize(actor: CardHolderActor | null, permission: "card.view"): CardReach;
export function authorize(actor: Actor | null, permission: Permission): Reach | CardReach;
export function authorize(actor: Actor | null, permission: Permission): Reach | CardReach {
  const scope = scopeOf(granteeOf(actor), permission);
  if (scope === null) {
    // The merchant's status explains more than the missing permission, so it is reported first.
    if ((actor?.type === "user" || actor?.type === "apiKey") && isStaffPermission(permission)) {
      assertApproved(actor, permission);
    }
    throw deniedError(actor, permission);
  }
  if (actor === null || actor.type === "system") return { scope: "any" };
  if (actor.type === "cardHolder") {
    return { scope: "own", customerId: actor.customerId, merchantId: actor.merchantId };
  }
  if (actor.type === "till") return { scope: "merchant", merchantId: actor.merchantId };
  if (actor.type === "user" && mustEnrol(actor) && !ALWAYS_OPEN.includes(permission)) {
    throw new DomainError("enrolment_required");
  }
  assertApproved(actor, permission);
  if (scope === "any") return { scope };
  if (scope === "own") {
    if (actor.type !== "user") throw new DomainError("forbidden");
    return { scope, userId: actor.userId, merchantId: actor.merchantId };
  }
  if (actor.merchantId === null) throw new DomainError("forbidden");
  return { scope, merchantId: actor.merchantId };
}

/** Refuses a suspended merchant's API keys, and its staff's writes except in their own account. Throws merchant_suspended. */
export function assertNotSuspended(actor: StaffActor, permission: StaffPermission, readOnly: boolean): void {
  if (actor.merchantSuspension === null) return;
  if (actor.type === "user" && (readOnly || isOwnAccount(permission))) return;
  throw new DomainError("merchant_suspended", { reason: actor.merchantSuspension });
}

/** Refuses an API key without the needed scope, or where no scope opens the operation (null). Throws forbidden. */
export function assertKeyScope(actor: Actor | null, needed: KeyScope | "any" | null): void {
  if (actor?.type !== "apiKey") return;
  if (needed === null || (needed !== "any" && !actor.scopes.includes(needed)))
    throw new DomainError("forbidden");
}

/** The merchant filter of a reach: no filter for "any", otherwise the actor's own merchant. */
export function merchantWhere(reach: Reach): { merchantId?: string } {
  if (reach.scope === "any" || reach.merchantId === null) return {};
  return { merchantId: reach.merchantId };
}

/** The actor's own merchant, or the one that a super_admin names. Throws validation without a name, merchant_not_found. */
export function targetMerchantId(reach: Reach, requestedId: string | undefined): string {
  if (reach.scope === "any") {
    if (requestedId) return requestedId;
    const problem = { path: "merchantId", message: "validation.merchant.required" };
    throw new DomainError("validation", {}, [problem]);
  }
  if (reach.merchantId === null || (requestedId && requestedId !== reach.merchantId)) {
    throw new DomainError("merchant_not_found");
  }
  return reach.merchantId;
}

/** The kind and id of an actor. A job's payload carries it as the cause of the job. */
export type ActorRef = { type: ActorType; id: string } | null;

/** The reference to an actor: the id of its user, key or card, or the name of its job. */
export function actorRef(actor: Actor | null): ActorRef {
  switch (actor?.type) {
    case "user":
      return { type: actor.type, id: actor.userId };
    case "apiKey":
      return { type: actor.type, id: actor.keyId };
    case "cardHolder":
      return { type: actor.type, id: actor.customerId };
    case "system":
      return { type: actor.type, id: actor.job };
    case "till":
    case undefined:
      return null;
  }
}
