import { expect, test } from "vitest";
import { readQueryCustomer, readTopupLink } from "./topup-link";

test("the specification's names and their alternatives are read", () => {
  const named = { sFullName: "Layla", sEmail: "l@x.test", sPhoneNumber: "55123456", sBalance: 40 };
  const other = { fullName: "Layla", email: "l@x.test", phoneNumber: "55123456", walletBalance: "40" };
  const expected = { fullName: "Layla", email: "l@x.test", phone: "55123456", balance: 40 };
  expect(readQueryCustomer(JSON.stringify(named))).toEqual(expected);
  expect(readQueryCustomer(JSON.stringify(other))).toEqual(expected);
  expect(readQueryCustomer(JSON.stringify({ points: 7 }))).toMatchObject({ balance: 7 });
});

test("what is wrong in it is left out", () => {
  expect(readQueryCustomer('{"sFullName":5,"sBalance":-3}')).toEqual({
    fullName: null,
    email: null,
    phone: null,
    balance: 0,
  });
  for (const bad of ["", "{", "[]", "null", undefined, "5", "x".repeat(5000)]) {
    expect(readQueryCustomer(bad)).toBeNull();
  }
});

test("a link names its customer by query or by path", () => {
  expect(readTopupLink(["path"], { customerId: "query" }).customerId).toBe("query");
  expect(readTopupLink(["path"], {}).customerId).toBe("path");
  expect(readTopupLink(undefined, {}).customerId).toBeNull();
  expect(readTopupLink(["a"], { src: "apple", code: "123", adminId: "x" })).toMatchObject({
    source: "apple",
    liveCode: "123",
    adminId: null,
  });
});
