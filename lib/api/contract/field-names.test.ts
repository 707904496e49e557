import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { makeAdmin, makeMerchant, uniqueEmail } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";

const changePassword = handlerOf("PUT", "auth/change-password");
const signUp = handlerOf("POST", "auth/merchant/signup");
const sendOtp = handlerOf("POST", "auth/send-otp");
const openBranch = handlerOf("POST", "branches");
const decide = handlerOf("PUT", "merchants/{id}/approval");
const openOutlet = handlerOf("POST", "outlets");
const topUp = handlerOf("POST", "top-up-points");
const hire = handlerOf("POST", "workers");

const db = await testDb();
const shop = await makeMerchant(db);
const [owner, admin] = [await tokenOf(db, shop.owner), await tokenOf(db, await makeAdmin(db))];
const person = { sFirstName: "Ravi", sLastName: "Kumar", sPhoneNumber: "55123456" };
const signUpBody = () => ({
  ...person,
  sBusinessName: "Karak House",
  sEmail: uniqueEmail(),
  sPassword: "a long password",
  branch: { sBranchName: "The Pearl", sCity: "Doha" },
});
const pathsOf = (answer: Awaited<ReturnType<typeof call>>) => answer.errors?.map(({ path }) => path);

test("a refusal of an operation has the field names that the caller sent", async () => {
  const wrong = await call(changePassword, {
    method: "PUT",
    token: owner,
    body: { sOldPassword: "not the one", sNewPassword: "a long new password" },
  });
  expect([wrong.status, pathsOf(wrong)]).toEqual([422, ["sOldPassword"]]);
  const common = await call(changePassword, {
    method: "PUT",
    token: owner,
    body: { sOldPassword: "demo-wallet-2026", sNewPassword: "password123" },
  });
  expect([common.status, pathsOf(common)]).toEqual([422, ["sNewPassword"]]);
  const branch = { sBranchName: shop.branch.name, sCity: "Doha" };
  const taken = await call(openBranch, { method: "POST", token: owner, body: branch });
  expect([taken.status, pathsOf(taken)]).toEqual([409, ["sBranchName"]]);
  const withoutMerchant = await call(openOutlet, { method: "POST", token: admin, body: branch });
  expect([withoutMerchant.status, pathsOf(withoutMerchant)]).toEqual([400, ["iMerchantId"]]);
  const withoutReason = await call(decide, {
    method: "PUT",
    token: admin,
    params: { id: shop.merchant.id },
    body: { eStatus: "R" },
  });
  expect([withoutReason.status, pathsOf(withoutReason)]).toEqual([422, ["sReason"]]);
  const unknownBranch = await call(hire, {
    method: "POST",
    token: owner,
    body: { ...person, sEmail: uniqueEmail(), iBranchId: randomUUID() },
  });
  expect([unknownBranch.status, pathsOf(unknownBranch)]).toEqual([404, ["iBranchId"]]);
  const takenEmail = await call(signUp, {
    method: "POST",
    body: { ...signUpBody(), sEmail: shop.owner.email },
  });
  expect([takenEmail.status, pathsOf(takenEmail)]).toEqual([409, ["sEmail"]]);
});

test("nested fields, enumerated values and constants are refused by the caller's field names", async () => {
  const nameless = { ...signUpBody(), branch: { sBranchName: "", sCity: 7 } };
  const refused = await call(signUp, { method: "POST", body: nameless });
  expect([refused.status, pathsOf(refused)]).toEqual([400, ["branch.sBranchName", "branch.sCity"]]);
  const params = { id: shop.merchant.id };
  // "approved" is a value of the operation, not of the API.
  const own = await call(decide, { method: "PUT", token: admin, params, body: { eStatus: "approved" } });
  expect([own.status, pathsOf(own)]).toEqual([400, ["eStatus"]]);
  const sms = { sType: "SMS", sAuth: "REGISTER", sLogin: uniqueEmail() };
  const other = await call(sendOtp, { method: "POST", body: sms });
  expect([other.status, pathsOf(other)]).toEqual([400, ["sType"]]);
});

test("a field of the operation that the API does not name is ignored in a request", async () => {
  const params = { id: shop.merchant.id };
  const body = { eStatus: "A", status: "rejected", seen: "pending", id: randomUUID() };
  const answer = await call(decide, { method: "PUT", token: admin, params, body });
  expect([answer.status, answer.code]).toEqual([422, "no_change"]);
});

test("an invalid idempotency key is refused by the name of its header", async () => {
  const headers = { "Idempotency-Key": "two words" };
  const body = { customerId: randomUUID(), sPoints: 5, iBranchId: shop.branch.id };
  const answer = await call(topUp, { method: "POST", token: owner, headers, body });
  expect([answer.status, pathsOf(answer)]).toEqual([400, ["Idempotency-Key"]]);
});
