import { expect, test } from "vitest";
import { type Actor, authorize, type MerchantStatus } from "./actor";
import { KEY_SCOPES } from "./key-scopes";
import { type Grantee, isStaffPermission, type Permission, POLICY, type Scope, scopeOf } from "./policy";

const merchantId = "00000000-0000-4000-8000-00000000000a";
const customerId = "00000000-0000-4000-8000-00000000000b";

const user = (role: "super_admin" | "admin" | "merchant_owner" | "branch_worker"): Actor => ({
  type: "user",
  userId: role,
  role,
  email: `${role}@wallet.test`,
  phone: null,
  firstName: "Noor",
  lastName: "Al Thani",
  locale: null,
  merchantId: role.endsWith("admin") ? null : merchantId,
  merchantStatus: role.endsWith("admin") ? null : "approved",
  merchantStatusReason: null,
  merchantSuspension: null,
  merchantTenders: null,
  merchantFace: null,
  branchId: null,
  sessionId: "session",
  handle: "handle",
  panel: false,
  secondFactor: false,
  factorRequired: false,
  steppedUpUntil: null,
  tillId: null,
});

const ACTORS: Record<Grantee, Actor | null> = {
  super_admin: user("super_admin"),
  admin: user("admin"),
  merchant_owner: user("merchant_owner"),
  branch_worker: user("branch_worker"),
  cashier: { ...user("branch_worker"), tillId: "till" } as Actor,
  till: { type: "till", tillId: "till", merchantId },
  apiKey: {
    type: "apiKey",
    keyId: "key",
    name: "Shop",
    scopes: KEY_SCOPES,
    branchId: null,
    merchantId,
    merchantStatus: "approved",
    merchantStatusReason: null,
    merchantSuspension: null,
  },
  cardHolder: { type: "cardHolder", customerId, merchantId, deviceId: "device" },
  system: { type: "system", job: "cron" },
  stranger: null,
};
const GRANTEES = Object.keys(ACTORS) as Grantee[];
const PERMISSIONS = Object.keys(POLICY) as Permission[];

// A second copy of the table, so that no permission changes by accident: a = any, m = merchant, o = own, - = none.
// Columns: super_admin, admin, merchant_owner, branch_worker, cashier, till, apiKey, cardHolder, system, stranger.
const EXPECTED: Record<Permission, string> = {
  "profile.read": "oooo--m---",
  "account.own": "oooo------",
  "account.security": "oooo------",
  "session.end": "ooooo-----",
  "pin.own": "---o------",
  "admins.manage": "a---------",
  "merchants.read": "aa--------",
  "merchants.decide": "aa--------",
  "merchants.suspend": "a---------",
  "platform.settings": "a---------",
  "merchant.settings": "a-m-------",
  "merchant.profile": "--m-------",
  "outlets.manage": "a---------",
  "branches.manage": "a-m-------",
  "workers.manage": "a-m-------",
  "config.read": "aam-------",
  "config.edit": "aa--------",
  "customers.read": "a-m---m---",
  "customers.edit": "a-m-------",
  "customers.privateId": "a-m-------",
  "customers.find": "a-mmm-m---",
  "money.topUp": "a-mmm-m---",
  "money.redeem": "a-mmm-m---",
  "money.reverse": "a-moo-----",
  "money.bonus": "a-m---m---",
  "money.refund": "a-mmm-m---",
  "movements.read": "a-moo-m---",
  "receipts.print": "a-moo-----",
  "movements.export": "a-mo------",
  "apiKeys.manage": "a-m-------",
  "events.read": "a-m---m---",
  "webhooks.manage": "a-m---m---",
  "tills.manage": "a-m-------",
  "shifts.run": "a-moo-----",
  "tills.sync": "--mmm-----",
  "offline.resolve": "a-m-------",
  "till.own": "-----o----",
  "ledger.verify": "a-m-------",
  "activity.read": "aam-------",
  "notices.read": "aam-------",
  "panel.search": "aamm------",
  "reports.read": "a-m-------",
  "totals.read": "aam-------",
  "card.view": "-------o-a",
  "card.own": "-------o--",
  "card.freeze": "-------o--",
  "card.stop": "-------o--",
  "pass.own": "-------o--",
  "jobs.run": "--------a-",
};
const SCOPES: Record<string, Scope | null> = { a: "any", m: "merchant", o: "own", "-": null };

const cells = PERMISSIONS.flatMap((permission) =>
  GRANTEES.map((grantee, column) => {
    const scope = SCOPES[EXPECTED[permission][column] ?? ""] ?? null;
    return { permission, grantee, scope };
  }),
);

test.each(cells)("$permission × $grantee: $scope", ({ permission, grantee, scope }) => {
  expect(scopeOf(grantee, permission)).toBe(scope);
  const actor = ACTORS[grantee];
  if (scope !== null) {
    // A till's own is its merchant's.
    expect(authorize(actor, permission).scope).toBe(grantee === "till" ? "merchant" : scope);
    return;
  }
  const ofHolder = ["card.view", "card.own", "card.freeze", "card.stop", "pass.own"].includes(permission);
  const code = ofHolder ? "card_holder_required" : grantee === "stranger" ? "unauthenticated" : "forbidden";
  expect(() => authorize(actor, permission)).toThrow(expect.objectContaining({ code }));
});

test("a reach contains the ids that limit it", () => {
  expect(authorize(ACTORS.merchant_owner, "money.topUp")).toEqual({ scope: "merchant", merchantId });
  expect(authorize(ACTORS.apiKey, "money.topUp")).toEqual({ scope: "merchant", merchantId });
  const own = { scope: "own", userId: "branch_worker", merchantId };
  expect(authorize(ACTORS.branch_worker, "movements.read")).toEqual(own);
  expect(authorize(ACTORS.cardHolder, "card.own")).toEqual({ scope: "own", customerId, merchantId });
});

const waiting: [MerchantStatus, string][] = [
  ["pending", "merchant_pending"],
  ["rejected", "merchant_rejected"],
];
test.each(waiting)(
  "users of a %s merchant can open only their own account and profile, and its keys nothing",
  (merchantStatus, code) => {
    for (const grantee of ["merchant_owner", "apiKey"] as const) {
      const actor = { ...ACTORS[grantee], merchantStatus } as Actor;
      // Also for what the role may never do: the reason is what helps.
      for (const permission of ["money.topUp", "merchants.read"] as const)
        expect(() => authorize(actor, permission)).toThrow(expect.objectContaining({ code }));
    }
    const owner = { ...ACTORS.merchant_owner, merchantStatus } as Actor;
    expect(authorize(owner, "account.own").scope).toBe("own");
    expect(authorize(owner, "merchant.profile").scope).toBe("merchant");
  },
);

test("the permissions of users require a session", () => {
  const staff = PERMISSIONS.filter(isStaffPermission);
  expect(PERMISSIONS.filter((permission) => !staff.includes(permission as never))).toEqual([
    "till.own",
    "card.view",
    "card.own",
    "card.freeze",
    "card.stop",
    "pass.own",
    "jobs.run",
  ]);
  expect(isStaffPermission("public")).toBe(false);
});
