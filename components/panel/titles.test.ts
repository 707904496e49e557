import { expect, test, vi } from "vitest";
import en from "@/messages/en.json";
import { titleOf } from "./titles";

// The frame's buttons run server actions, which only Next can load.
vi.mock("@/app/_panels/actions", () => ({}));
vi.mock("@/app/_session/actions", () => ({}));

const { titles } = en.panels;

test("a path has its page's title for each role", () => {
  expect(titleOf("merchant_owner", "/merchant/customers/an-id", titles)).toBe("customers");
  expect(titleOf("super_admin", "/admin/points-config", titles)).toBe("pointsConfig");
  expect(titleOf("admin", "/admin/points-config", titles)).toBe("cashConfig");
  expect(titleOf("admin", "/account-status", titles)).toBe("accountStatus");
  expect(titleOf("merchant_owner", "/merchant/settings/integrations", titles)).toBe("settings");
});

test("an unknown page has no title, even if it is named like a property of every object", () => {
  expect(titleOf("admin", "/admin/constructor", titles)).toBeNull();
  expect(titleOf("admin", "/__proto__", titles)).toBeNull();
});
