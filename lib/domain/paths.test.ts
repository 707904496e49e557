import { expect, test } from "vitest";
import { isKnownPath, isPrivatePath, safePath } from "./paths";

test.each([
  [
    "/merchant/customers?search=a%20b&status=active#top",
    "/merchant/customers?search=a%20b&status=active#top",
  ],
  ["/topup/1/../2", "/topup/2"],
  ["/", "/"],
  ["//evil.example", null],
  ["/\\evil.example", null],
  ["/.//evil.example", null],
  ["/..//evil.example/x", null],
  ["/a/..//evil.example", null],
  ["/%2e//evil.example", null],
  ["/\t/evil.example", null],
  ["https://evil.example", null],
  ["javascript:alert(1)", null],
  ["evil.example", null],
  ["", null],
  [undefined, null],
  [["/a", "/b"], null],
])("after sign-in, %j redirects to %j", (value, path) => {
  expect(safePath(value)).toBe(path);
});

test("known paths, and paths that need a session", () => {
  expect(["/", "/topup/x", "/merchant/customers", "/docs"].every(isKnownPath)).toBe(true);
  expect(["/wp-admin", "/merchants", "/adminx"].some(isKnownPath)).toBe(false);
  expect(isKnownPath("/confirm-email/x")).toBe(true);
  expect(["/topup/%ff", "/customer/signup/%E0%A4%A", "/card/%"].some(isKnownPath)).toBe(false);
  expect(["/admin", "/employee/topup", "/account-status"].every(isPrivatePath)).toBe(true);
  expect(["/topup/x", "/login", "/merchant-x"].some(isPrivatePath)).toBe(false);
});
