import { expect, test, vi } from "vitest";
import { titleOf } from "./shell";

// The frame's buttons run server actions, which only Next can load.
vi.mock("@/app/_panels/actions", () => ({}));
vi.mock("@/app/_session/actions", () => ({}));

test("a path has its page's title for each role", () => {
  expect(titleOf("merchant_owner", "/merchant/customers/an-id")).toBe("customers");
  expect(titleOf("super_admin", "/admin/points-config")).toBe("pointsConfig");
  expect(titleOf("admin", "/admin/points-config")).toBe("cashConfig");
  expect(titleOf("admin", "/account-status")).toBe("accountStatus");
});

test("an unknown page has no title, even if it is named like a property of every object", () => {
  expect(titleOf("admin", "/admin/constructor")).toBeNull();
  expect(titleOf("admin", "/__proto__")).toBeNull();
});
