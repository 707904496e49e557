import { expect, test } from "vitest";
import { landingPath, PANELS } from "./panels";
import { ROLES } from "./roles";

test.each([
  ["branch_worker", "/merchant/transactions?page=2", "/employee/account"],
  ["branch_worker", "/employee/transactions?type=REDEEM", "/employee/transactions?type=REDEEM"],
  ["merchant_owner", "/admin/customers/an-id", "/merchant/dashboard"],
  ["merchant_owner", "/topup?customerId=a&src=apple", "/topup?customerId=a&src=apple"],
  ["admin", "/admin/customers", "/admin/dashboard"],
  ["super_admin", "/admin/customers?search=a", "/admin/customers?search=a"],
  ["merchant_owner", "/login?from=/merchant/account", "/merchant/dashboard"],
  ["merchant_owner", "/nothing", "/merchant/dashboard"],
  ["merchant_owner", "/", "/merchant/dashboard"],
  ["merchant_owner", null, "/merchant/dashboard"],
  ["branch_worker", "/account-status", "/account-status"],
] as const)("%s who asked for %s lands at %s", (role, wanted, path) => {
  expect(landingPath(role, wanted)).toBe(path);
});

test("each role lands on every page of its own menu", () => {
  for (const role of ROLES)
    for (const { href } of PANELS[role].menu) expect(landingPath(role, href)).toBe(href);
});
