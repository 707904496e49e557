import { expect, test } from "vitest";
import { signUpMerchant } from "@/lib/merchants/sign-up-merchant";
import { testDb } from "@/lib/testing/database";
import {
  contextOf,
  makeAdmin,
  makeCustomer,
  makeMerchant,
  publicContext,
  uniqueEmail,
} from "@/lib/testing/factories";
import { move } from "@/lib/testing/movements";
import { configImpact, editConfig, withdrawOverride } from "./edit-config";
import { configEtag, configHistorySchema, type EditConfig, editConfigSchema } from "./model";
import { configHistory, listOverrides, rulesInForce, viewConfig } from "./read-config";

const db = await testDb();
const admin = contextOf(db, await makeAdmin(db, { role: "admin" }));
const rules = (changes: Partial<EditConfig> = {}): EditConfig => ({
  dirhamsPerPoint: 100,
  minTopUp: 1,
  maxTopUp: 5000,
  maxBalance: 20000,
  undoMinutes: 15,
  workerDailyCap: null,
  ...changes,
});
const page = configHistorySchema.parse({});

test("an override applies to its merchant only, until it is withdrawn", async () => {
  const [shop, other] = [await makeMerchant(db), await makeMerchant(db)];
  const merchantId = shop.merchant.id;
  await editConfig(admin, rules({ merchantId, maxTopUp: 300, workerDailyCap: 1000 }));
  const customer = await makeCustomer(db, shop);
  await expect(move(db, shop, customer, { points: 301 })).rejects.toThrow("above_maximum");
  const owner = contextOf(db, shop.owner);
  expect(await viewConfig(owner, {})).toMatchObject({ maxTopUp: 300, overridden: true });
  expect(await viewConfig(contextOf(db, other.owner), {})).toMatchObject({
    maxTopUp: 5000,
    overridden: false,
  });
  expect((await listOverrides(admin, {})).map((one) => one.merchant.id)).toContain(merchantId);
  await expect(editConfig(admin, rules({ merchantId, maxTopUp: 300, workerDailyCap: 1000 }))).rejects.toThrow(
    "no_change",
  );
  await withdrawOverride(admin, { merchantId });
  await move(db, shop, customer, { points: 301 });
  await expect(withdrawOverride(admin, { merchantId })).rejects.toThrow("no_change");
  const { results } = await configHistory(admin, { ...page, merchantId });
  expect(results).toMatchObject([
    { version: 2, before: { maxTopUp: 300 }, after: null, changedBy: "Sara Haddad" },
    { version: 1, before: null, after: { maxTopUp: 300, workerDailyCap: 1000 } },
  ]);
});

test("a rate cannot be lowered while points are outstanding, neither by an edit nor by a withdrawal", async () => {
  const shop = await makeMerchant(db);
  const merchantId = shop.merchant.id;
  const customer = await makeCustomer(db, shop);
  await editConfig(admin, rules({ merchantId, dirhamsPerPoint: 150 }));
  await editConfig(admin, rules({ merchantId, dirhamsPerPoint: 120 }));
  const paid = await move(db, shop, customer, { points: 200 });
  expect(await configImpact(admin, { merchantId, dirhamsPerPoint: 110 })).toEqual({
    points: 200,
    before: "240.00",
    after: "220.00",
    refused: true,
  });
  await expect(editConfig(admin, rules({ merchantId, dirhamsPerPoint: 110 }))).rejects.toThrow(
    "rate_lowered",
  );
  await expect(withdrawOverride(admin, { merchantId })).rejects.toThrow("rate_lowered");
  await editConfig(admin, rules({ merchantId, dirhamsPerPoint: 130 }));
  await move(db, shop, customer, { reverses: paid.id });
  await editConfig(admin, rules({ merchantId, dirhamsPerPoint: 90 }));
});

test("top-ups concurrent with a lower rate never leave points that lost value", async () => {
  const shop = await makeMerchant(db);
  const merchantId = shop.merchant.id;
  const customers = await Promise.all(Array.from({ length: 8 }, () => makeCustomer(db, shop)));
  const posted = customers.map((customer) => move(db, shop, customer, { points: 50 }));
  const lowered = editConfig(admin, rules({ merchantId, dirhamsPerPoint: 50 })).then(
    () => true,
    () => false,
  );
  const movements = await Promise.all(posted);
  const rate = (await viewConfig(admin, { merchantId })).dirhamsPerPoint;
  expect(rate).toBe((await lowered) ? 50 : 100);
  // The rate is lowered before the first top-up or not at all.
  expect(new Set(movements.map((movement) => movement.rate))).toEqual(new Set([rate]));
});

test("of concurrent edits of the same version, one succeeds and the others get a conflict", async () => {
  const shop = await makeMerchant(db);
  const merchantId = shop.merchant.id;
  for (const [a, b, c] of [
    [11, 12, 13],
    [14, 15, 16],
  ]) {
    const seen = configEtag(await viewConfig(admin, { merchantId }));
    const edits = [a, b, c].map((undoMinutes) => editConfig(admin, rules({ merchantId, undoMinutes, seen })));
    const settled = await Promise.allSettled(edits);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(settled.filter((one) => one.status === "rejected" && one.reason.code === "conflict")).toHaveLength(
      2,
    );
  }
});

test("an owner reads their own rules and history without administrators' names, and edits nothing", async () => {
  const [shop, other] = [await makeMerchant(db), await makeMerchant(db)];
  await editConfig(admin, rules({ merchantId: shop.merchant.id, undoMinutes: 5 }));
  await editConfig(admin, rules({ merchantId: other.merchant.id, undoMinutes: 6 }));
  const owner = contextOf(db, shop.owner);
  const { results } = await configHistory(owner, page);
  expect(results.map((one) => one.merchant?.id ?? null)).toEqual([shop.merchant.id, null]);
  expect(results.every((one) => one.changedBy === null)).toBe(true);
  await expect(viewConfig(owner, { merchantId: other.merchant.id })).rejects.toThrow("merchant_not_found");
  await expect(editConfig(owner, rules())).rejects.toThrow("forbidden");
});

test("the schema checks the bounds", () => {
  const codes = (changes: Record<string, unknown>) =>
    editConfigSchema.safeParse({ ...rules(), ...changes }).error?.issues.map((issue) => issue.message);
  expect(codes({ maxTopUp: "٥٠٠", workerDailyCap: "" })).toBeUndefined();
  expect(codes({ minTopUp: 600, maxTopUp: 500 })).toEqual(["validation.config.maxTopUp"]);
  expect(codes({ maxBalance: 4999 })).toEqual(["validation.config.maxBalance"]);
  expect(codes({ dirhamsPerPoint: 0 })).toEqual([
    expect.stringMatching(/^validation.number.between\?min=1&max=/),
  ]);
  expect(codes({ dirhamsPerPoint: "1.5" })).toEqual([
    expect.stringMatching(/^validation.number.between\?min=1&max=/),
  ]);
  expect(codes({ undoMinutes: 0 })).toBeUndefined();
  expect(codes({ undoMinutes: "۰" })).toBeUndefined();
  expect(codes({ undoMinutes: 2000 })).toEqual(["validation.number.between?min=0&max=1440"]);
});

test("a merchant that signs up has a worker's daily limit and no override; one from before has none", async () => {
  const { id } = await signUpMerchant(publicContext(db), {
    businessName: "Majlis Coffee",
    firstName: "Noora",
    lastName: "Al-Kuwari",
    email: uniqueEmail(),
    ...{
      phone: "+97455123456",
      password: "a long new password",
      branch: { name: "The Pearl", city: "Doha" },
    },
  });
  expect(await rulesInForce(db, id)).toMatchObject({ workerDailyCap: 20_000, overridden: false });
  const before = await makeMerchant(db);
  expect(await rulesInForce(db, before.merchant.id)).toMatchObject({ workerDailyCap: null });
});
