import { expect, test } from "vitest";
import { getDb } from "@/lib/db/client";
import { listNotices } from "@/lib/notices/notices";
import { auditsOf } from "@/lib/testing/audits";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeAdmin, makeMerchant, makeWorker } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { decideMerchant } from "./decide-merchant";
import { getMerchant } from "./read-merchants";
import { reapply } from "./sign-up-merchant";

const applyCall = handlerOf("POST", "auth/merchant/application");
const merchantCall = handlerOf("GET", "merchants/{id}");

const db = await testDb();
const rejected = () => makeMerchant(db, { status: "rejected", statusReason: "No trade licence" });

test("a rejected merchant applies again, and administrators see that and why it was rejected", async () => {
  const shop = await rejected();
  const token = await tokenOf(db, shop.owner);
  const body = { sMessage: "The licence is attached." };
  expect(await call(applyCall, { method: "POST", token, body })).toMatchObject({
    status: 200,
    data: { eStatus: "P" },
  });
  const admin = await makeAdmin(db, { role: "admin", createdAt: new Date("2020-01-01") });
  const seen = await call(merchantCall, {
    token: await tokenOf(db, admin),
    params: { id: shop.merchant.id },
  });
  expect(seen.data).toMatchObject({
    eStatus: "P",
    sReason: null,
    nApplications: 2,
    sMessage: body.sMessage,
    sPreviousReason: "No trade licence",
  });
  const { results } = await listNotices(contextOf(getDb(), admin), { limit: 100 });
  expect(results).toContainEqual(
    expect.objectContaining({ kind: "merchant_again", merchantId: shop.merchant.id }),
  );
  expect((await auditsOf(db, shop.merchant.id)).map(({ action }) => action)).toEqual(["merchant.reapplied"]);
  const mail = await db.email.findFirst({ where: { recipient: shop.owner.email } });
  expect(mail?.text).toContain("account-status");
  // It waits now: there is nothing to apply for.
  expect(await call(applyCall, { method: "POST", token, body })).toMatchObject({ code: "no_change" });
});

test("a decision about the rejected application does not count for the new one", async () => {
  const shop = await rejected();
  const ctx = contextOf(getDb(), await makeAdmin(db));
  const { profileVersion } = await getMerchant(ctx, { id: shop.merchant.id });
  const owner = contextOf(getDb(), shop.owner, { actor: { merchantStatus: "rejected" } });
  const both = await Promise.allSettled([reapply(owner, {}), reapply(owner, {})]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const stale = { id: shop.merchant.id, status: "approved" as const, version: profileVersion };
  await expect(decideMerchant(ctx, { ...stale, seen: "pending" })).rejects.toMatchObject({
    code: "conflict",
  });
  expect(await getMerchant(ctx, { id: shop.merchant.id })).toMatchObject({
    status: "pending",
    applications: 2,
  });
});

test("neither a worker nor an approved merchant applies, and three times a day is enough", async () => {
  const shop = await rejected();
  const worker = contextOf(getDb(), await makeWorker(db, shop), { actor: { merchantStatus: "rejected" } });
  await expect(reapply(worker, {})).rejects.toMatchObject({ code: "forbidden" });
  const approved = await makeMerchant(db);
  await expect(reapply(contextOf(getDb(), approved.owner), {})).rejects.toMatchObject({ code: "no_change" });
  const owner = contextOf(getDb(), shop.owner, { actor: { merchantStatus: "rejected" } });
  for (let times = 0; times < 3; times++) {
    await reapply(owner, {});
    await db.merchant.update({ where: { id: shop.merchant.id }, data: { status: "rejected" } });
  }
  await expect(reapply(owner, {})).rejects.toMatchObject({ code: "rate_limited" });
});
