import { expect, test } from "vitest";
import { initials } from "./avatar";

test("the initials of a name are those of its first and last word", () => {
  expect(initials("Layla Haddad")).toBe("LH");
  expect(initials("  sara  bint ahmed ")).toBe("SA");
  expect(initials("Noora")).toBe("N");
  expect(initials("")).toBe("");
});

test("Arabic initials stay apart, and the article of a family is not one", () => {
  expect(initials("محمد الكواري")).toBe("م\u200cك");
  expect(initials("سلمى بن يوسف")).toBe("س\u200cي");
  expect(initials("الشيخة")).toBe("ا");
});
