import { expect, test } from "vitest";
import { withoutAddresses } from "./contact";

test.each([
  ["550 5.1.1 <layla.h+1@mail.example.qa>: user unknown", "550 5.1.1 <(address)>: user unknown"],
  ["to a@b.test, c@d.test", "to (address), (address)"],
  [
    "at node_modules/@prisma/client/index.js next@16.4.6",
    "at node_modules/@prisma/client/index.js next@16.4.6",
  ],
])("%j is logged as %j", (text, logged) => {
  expect(withoutAddresses(text)).toBe(logged);
});

test("a long run of letters is read once, not once for each of its letters", () => {
  // Read anew from each letter, so many would outlast the time that a test has.
  const letters = "a".repeat(2_000_000);
  expect(withoutAddresses(letters)).toBe(letters);
});
