import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { PUT as changePassword } from "@/app/api/auth/change-password/route";
import { POST as signUp } from "@/app/api/auth/merchant/signup/route";
import { POST as openBranch } from "@/app/api/branches/route";
import { PUT as decide } from "@/app/api/merchants/[id]/approval/route";
import { POST as openOutlet } from "@/app/api/outlets/route";
import { POST as hire } from "@/app/api/workers/route";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { makeAdmin, makeMerchant, uniqueEmail } from "@/lib/testing/factories";

const db = await testDb();
const house = await makeMerchant(db);
const [owner, admin] = [await tokenOf(db, house.owner), await tokenOf(db, await makeAdmin(db))];
const pathsOf = (answer: Awaited<ReturnType<typeof call>>) => answer.errors?.map(({ path }) => path);

test("what an operation refuses is told by the names that the caller sent", async () => {
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
  const branch = { sBranchName: house.branch.name, sCity: "Doha" };
  const taken = await call(openBranch, { method: "POST", token: owner, body: branch });
  expect([taken.status, pathsOf(taken)]).toEqual([409, ["sBranchName"]]);
  const nobodys = await call(openOutlet, { method: "POST", token: admin, body: branch });
  expect([nobodys.status, pathsOf(nobodys)]).toEqual([400, ["iMerchantId"]]);
  const unexplained = await call(decide, {
    method: "PUT",
    token: admin,
    params: { id: house.merchant.id },
    body: { eStatus: "R" },
  });
  expect([unexplained.status, pathsOf(unexplained)]).toEqual([422, ["sReason"]]);
  const person = { sFirstName: "Ravi", sLastName: "Kumar", sPhoneNumber: "55123456" };
  const homeless = await call(hire, {
    method: "POST",
    token: owner,
    body: { ...person, sEmail: uniqueEmail(), iBranchId: randomUUID() },
  });
  expect([homeless.status, pathsOf(homeless)]).toEqual([404, ["iBranchId"]]);
  const known = await call(signUp, {
    method: "POST",
    body: {
      ...person,
      sBusinessName: "Twice",
      sEmail: house.owner.email,
      sPassword: "a long password",
      branch,
    },
  });
  expect([known.status, pathsOf(known)]).toEqual([409, ["sEmail"]]);
});
