import { expect, test } from "vitest";
import { patternOf } from "./pattern";

test.each([
  ["/api/branches", {}, "/api/branches"],
  ["/api/branches/7f8d", { id: "7f8d" }, "/api/branches/:id"],
  ["/api/branches/%61bc", { id: "abc" }, "/api/branches/:id"],
  ["/api/%62ranches/abc", { id: "abc" }, "/api/branches/:id"],
  ["/api/branches/l%40x.test", { id: "l%40x.test" }, "/api/branches/:id"],
  ["/api/branches/branches", { id: "branches" }, "/api/branches/:id"],
  ["/api/media/images/a.webp", { key: ["images", "a.webp"] }, "/api/media/:key"],
  ["/api/wallet/a/regs/b", { device: "a", passType: "b" }, "/api/wallet/:device/regs/:passType"],
  ["/api/branches/%2561", { id: "other" }, "unmatched"],
])("the pattern of %s is %s", (path, params, pattern) => {
  expect(patternOf(path, params)).toBe(pattern);
});
