import { expect, test } from "vitest";
import { byRulesOf } from "./customers";
import type { KeptCustomer } from "./store";

const CARD: KeptCustomer = {
  id: "7f9c24e8-3b12-4f5c-9f0e-2d4b8a6c1e57",
  publicId: "7f9c24e8-3b12-4f5c-9f0e-2d4b8a6c1e57",
  fullName: "Layla",
  status: "active",
  balance: 40,
  asOf: 1,
  metAt: 1,
  rate: 100,
  limits: { minTopUp: 1, maxTopUp: 500, maxBalance: 1000, unconfirmed: 0 },
  merchant: null,
};

test("a customer who was met before a point had another value is served by the new one", () => {
  const later = { ...CARD, fullName: "Omar", balance: 7, metAt: 2, rate: 90 };
  expect(byRulesOf(later, CARD)).toEqual({ ...CARD, rate: 90 });
});
