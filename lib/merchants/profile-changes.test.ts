import { expect, test } from "vitest";
import type { Context } from "@/lib/db/context";
import { auditsOf } from "@/lib/testing/audits";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeAdmin, makeMerchant, randomPhone } from "@/lib/testing/factories";
import { cancelProfileChange, updateBusiness, viewBusiness } from "./business";
import { decideMerchant, decideProfile } from "./decide-merchant";
import { getMerchant } from "./read-merchants";

const db = await testDb();

async function approvedShop() {
  const shop = await makeMerchant(db);
  const owner = contextOf(db, shop.owner);
  const admin = contextOf(db, await makeAdmin(db, { role: "admin" }));
  const id = shop.merchant.id;
  const profile = () => db.merchant.findUniqueOrThrow({ where: { id } });
  const changeId = async () => (await getMerchant(admin, { id })).pendingProfile?.id ?? "";
  const actions = async () => (await auditsOf(db, id)).map(({ action }) => action);
  const mails = () => db.email.findMany({ where: { recipient: shop.owner.email }, orderBy: { id: "asc" } });
  return { ...shop, id, ownerCtx: owner, admin, profile, changeId, actions, mails };
}

test("an owner asks for twenty changes a day at most, so that the administrators' notices stay readable", async () => {
  const shop = await approvedShop();
  const rename = (n: number) => updateBusiness(shop.ownerCtx, { businessName: `Karak ${n}` });
  for (let n = 0; n < 20; n++) await rename(n);
  // What changes nothing that waits is not counted.
  await updateBusiness(shop.ownerCtx, { businessName: shop.merchant.businessName, phone: randomPhone() });
  await expect(rename(20)).rejects.toMatchObject({ code: "rate_limited" });
  await cancelProfileChange(shop.ownerCtx, {});
  await expect(rename(21)).rejects.toMatchObject({ code: "rate_limited" });
  expect(await db.notice.count({ where: { aboutId: shop.id, kind: "profile_waiting" } })).toBe(20);
});

test("the name of an approved merchant changes after an administrator's approval, its phone at once", async () => {
  const shop = await approvedShop();
  const phone = randomPhone();
  const saved = await updateBusiness(shop.ownerCtx, { businessName: "Bank of Doha", phone });
  expect(saved).toMatchObject({ businessName: shop.merchant.businessName, phone });
  expect(saved.pending).toMatchObject({ businessName: "Bank of Doha" });
  expect(await shop.profile()).toMatchObject({ businessName: shop.merchant.businessName, phone });
  const input = { id: shop.id, changeId: await shop.changeId(), status: "approved" } as const;
  await expect(decideProfile(shop.ownerCtx, input)).rejects.toMatchObject({ code: "forbidden" });
  expect((await decideProfile(shop.admin, input)).pendingProfile).toBeNull();
  expect(await shop.profile()).toMatchObject({ businessName: "Bank of Doha" });
  await expect(decideProfile(shop.admin, input)).rejects.toMatchObject({ code: "conflict" });
  expect(await shop.mails()).toHaveLength(1);
  expect(await shop.actions()).toEqual([
    "merchant.profile_asked",
    "merchant.changed",
    "merchant.profile_approved",
  ]);
  expect(decideProfile.stepUp).toBe(true);
});

test("a rejection needs a reason, which the owner receives, and leaves the profile", async () => {
  const shop = await approvedShop();
  await updateBusiness(shop.ownerCtx, { businessName: "Another" });
  const input = { id: shop.id, changeId: await shop.changeId(), status: "rejected" } as const;
  await expect(decideProfile(shop.admin, input)).rejects.toMatchObject({ code: "reason_required" });
  await decideProfile(shop.admin, { ...input, reason: "The name of another shop" });
  expect((await shop.profile()).businessName).toBe(shop.merchant.businessName);
  expect((await shop.mails())[0]?.text).toContain("The name of another shop");
  expect((await viewBusiness(shop.ownerCtx, {})).pending).toBeNull();
});

test("a decision is about the change that was shown: another one, or Cancel, makes it a conflict", async () => {
  const shop = await approvedShop();
  await updateBusiness(shop.ownerCtx, { businessName: "Harmless" });
  const seen = { id: shop.id, changeId: await shop.changeId(), status: "approved" } as const;
  await updateBusiness(shop.ownerCtx, { businessName: "Bank of Doha" });
  await expect(decideProfile(shop.admin, seen)).rejects.toMatchObject({ code: "conflict" });
  const now = { ...seen, changeId: await shop.changeId() };
  await cancelProfileChange(shop.ownerCtx, {});
  await expect(cancelProfileChange(shop.ownerCtx, {})).rejects.toMatchObject({ code: "conflict" });
  await expect(decideProfile(shop.admin, now)).rejects.toMatchObject({ code: "conflict" });
  expect((await shop.profile()).businessName).toBe(shop.merchant.businessName);
});

test("of a decision and a change at the same time, the approved name is the one that was shown", async () => {
  for (let round = 0; round < 6; round++) {
    const shop = await approvedShop();
    await updateBusiness(shop.ownerCtx, { businessName: "Harmless" });
    const seen = { id: shop.id, changeId: await shop.changeId(), status: "approved" } as const;
    await Promise.allSettled([
      decideProfile(shop.admin, seen),
      updateBusiness(shop.ownerCtx, { businessName: "Bank of Doha" }),
      decideProfile(shop.admin, seen),
    ]);
    expect((await shop.profile()).businessName).not.toBe("Bank of Doha");
    expect((await shop.mails()).length).toBeLessThanOrEqual(1);
  }
});

test("a profile that changed since it was shown is not approved", async () => {
  const { owner, merchant } = await makeMerchant(db, { status: "pending" });
  const admin = contextOf(db, await makeAdmin(db, { role: "admin" }));
  const ctx: Context = contextOf(db, owner, { actor: { merchantStatus: "pending" } });
  const { profileVersion: version } = await getMerchant(admin, { id: merchant.id });
  await updateBusiness(ctx, { businessName: "Bank of Doha" });
  const decision = { id: merchant.id, status: "approved", seen: "pending", version } as const;
  await expect(decideMerchant(admin, decision)).rejects.toMatchObject({ code: "conflict" });
  const shown = (await getMerchant(admin, { id: merchant.id })).profileVersion;
  expect((await decideMerchant(admin, { ...decision, version: shown })).status).toBe("approved");
});

test("a profile that is saved as it is stays the one that was shown, and is no entry of the audit log", async () => {
  const { owner, merchant } = await makeMerchant(db, { status: "pending" });
  const admin = contextOf(db, await makeAdmin(db, { role: "admin" }));
  const ctx: Context = contextOf(db, owner, { actor: { merchantStatus: "pending" } });
  const { profileVersion: version } = await getMerchant(admin, { id: merchant.id });
  const { businessName, businessNameAr, phone } = await viewBusiness(ctx, {});
  await updateBusiness(ctx, { businessName, businessNameAr, phone });
  expect(await auditsOf(db, merchant.id)).toEqual([]);
  const decision = { id: merchant.id, status: "approved", seen: "pending", version } as const;
  expect((await decideMerchant(admin, decision)).status).toBe("approved");
});
