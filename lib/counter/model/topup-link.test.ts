import { expect, test } from "vitest";
import { parseQueryCustomer, parseTopupLink, tillCounterPath } from "./topup-link";

test("a link accepts the specification's names and their alternatives", () => {
  const named = { sFullName: "Layla", sEmail: "l@x.test", sPhoneNumber: "55123456", sBalance: 40 };
  const other = { fullName: "Layla", email: "l@x.test", phoneNumber: "55123456", walletBalance: "40" };
  const expected = { fullName: "Layla", email: "l@x.test", phone: "55123456", balance: 40 };
  expect(parseQueryCustomer(JSON.stringify(named))).toEqual(expected);
  expect(parseQueryCustomer(JSON.stringify(other))).toEqual(expected);
  expect(parseQueryCustomer(JSON.stringify({ points: 7 }))).toMatchObject({ balance: 7 });
});

test("invalid values are ignored", () => {
  expect(parseQueryCustomer('{"sFullName":5,"sBalance":-3}')).toEqual({
    fullName: null,
    email: null,
    phone: null,
    balance: 0,
  });
  for (const bad of ["", "{", "[]", "null", undefined, "5", "x".repeat(5000)]) {
    expect(parseQueryCustomer(bad)).toBeNull();
  }
});

test("a link identifies its customer by query or by path", () => {
  expect(parseTopupLink(["path"], { customerId: "query" }).customerId).toBe("query");
  expect(parseTopupLink(["path"], {}).customerId).toBe("path");
  expect(parseTopupLink(undefined, {}).customerId).toBeNull();
  expect(parseTopupLink(["a"], { src: "apple", code: "123", adminId: "x" })).toMatchObject({
    source: "apple",
    liveCode: "123",
    adminId: null,
  });
  const id = crypto.randomUUID();
  expect(parseTopupLink(["a"], { adminId: ` ${id.toUpperCase()}` }).adminId).toBe(id);
});

test("at a till a link leads to the counter, whatever its id has", () => {
  expect(tillCounterPath(null)).toBe("/employee/topup");
  expect(tillCounterPath("a&code=1#b")).toBe("/employee/topup?customerId=a%26code%3D1%23b");
  // The header of a redirect has no Arabic letter.
  expect(new Headers({ location: tillCounterPath("٣") }).get("location")).toContain("%D9%A3");
});
