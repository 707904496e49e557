import { beforeEach, describe, expect, test } from "vitest";
import { registerCustomer } from "@/lib/cards/sign-up";
import { hashSecret } from "@/lib/secrets/secrets";
import { auditsOf } from "@/lib/testing/audits";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import {
  type MerchantFixture,
  makeAdmin,
  makeCustomer,
  makeMerchant,
  makeWorker,
  PASSWORD,
  publicContext,
  uniqueEmail,
} from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { signupMerchant } from "./lookups";

const login = handlerOf("POST", "auth/login");
const updateProfile = handlerOf("PUT", "auth/update-profile");
const openBranch = handlerOf("POST", "branches");
const editCustomer = handlerOf("PUT", "customer-management/{id}");
const viewCustomer = handlerOf("GET", "customer-management/view/{id}");
const associated = handlerOf("POST", "customers/exists");
const changeSettings = handlerOf("PUT", "merchants/{id}/settings");
const readSettings = handlerOf("GET", "merchants/{id}/settings");
const suspension = handlerOf("PUT", "merchants/{id}/suspension");
const redeem = handlerOf("POST", "redeem-points");
const topUp = handlerOf("POST", "top-up-points");
const transactions = handlerOf("GET", "transactions");
const invite = handlerOf("POST", "workers");

const db = await testDb();
const REASON = "The trade licence has expired.";
let shop: MerchantFixture;
let root: string;
beforeEach(async () => {
  shop = await makeMerchant(db);
  root = await tokenOf(db, await makeAdmin(db));
});
const put = (body: object, token = root, id = shop.merchant.id) =>
  call(suspension, { method: "PUT", token, params: { id }, body });
const suspend = () => put({ bSuspended: true, sReason: REASON });

describe("who may", () => {
  test("only a super_admin; an unknown merchant is not found; a suspension needs a reason", async () => {
    const others = [shop.owner, await makeWorker(db, shop), await makeAdmin(db, { role: "admin" })];
    for (const user of others) {
      const token = await tokenOf(db, user);
      expect(await put({ bSuspended: true, sReason: REASON }, token)).toMatchObject({ status: 403 });
    }
    expect(await put({ bSuspended: true, sReason: REASON }, root, "unknown")).toMatchObject({ status: 404 });
    expect(await put({ bSuspended: true, sReason: " " })).toMatchObject({
      status: 422,
      code: "reason_required",
    });
    expect(await put({ sReason: REASON })).toMatchObject({ status: 400 });
    expect(await db.merchant.findUnique({ where: { id: shop.merchant.id } })).toMatchObject({
      suspendedAt: null,
    });
  });
});

test("it is a flag beside the status, audited, and the owner is e-mailed in their language", async () => {
  await db.user.update({ where: { id: shop.owner.id }, data: { locale: "ar" } });
  expect(await suspend()).toMatchObject({
    status: 200,
    data: { eStatus: "A", bSuspended: true, sSuspensionReason: REASON },
  });
  expect(await suspend()).toMatchObject({ status: 422, code: "no_change" });
  expect(await put({ bSuspended: false })).toMatchObject({
    data: { eStatus: "A", bSuspended: false, sSuspensionReason: null },
  });
  expect(await put({ bSuspended: false })).toMatchObject({ status: 422, code: "no_change" });
  const mails = await db.email.findMany({ where: { recipient: shop.owner.email }, orderBy: { id: "asc" } });
  expect(mails).toMatchObject([
    { subject: `تم إيقاف ${shop.merchant.businessName}`, locale: "ar" },
    { subject: `إعادة تفعيل ${shop.merchant.businessName}`, locale: "ar" },
  ]);
  expect(mails[0]?.text).toContain(REASON);
  const audits = await auditsOf(db, shop.merchant.id);
  expect(audits).toMatchObject([
    {
      action: "merchant.suspended",
      before: { suspended: false },
      after: { suspended: true, reason: REASON },
    },
    {
      action: "merchant.reinstated",
      before: { suspended: true, reason: REASON },
      after: { suspended: false },
    },
  ]);
});

test("of two at the same time one changes it and sends the e-mail", async () => {
  const answers = await Promise.all([suspend(), suspend()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  expect(await db.email.count({ where: { recipient: shop.owner.email } })).toBe(1);
});

describe("while it is suspended", () => {
  test("its staff sign in and read, and each write is refused with the reason", async () => {
    const customer = await makeCustomer(db, shop);
    const worker = await makeWorker(db, shop);
    await suspend();
    const signedIn = await call(login, {
      method: "POST",
      body: { sEmail: shop.owner.email, sPassword: PASSWORD },
    });
    expect(signedIn.status).toBe(200);
    const owner = (signedIn.data as { token: string }).token;
    const cashier = await tokenOf(db, worker);
    const params = { id: customer.id };
    for (const token of [owner, cashier]) {
      expect(await call(viewCustomer, { token, params })).toMatchObject({ status: 200 });
      expect(await call(transactions, { token })).toMatchObject({ status: 200 });
      const body = { customerId: customer.id, merchantId: shop.merchant.id };
      expect(await call(associated, { method: "POST", token, body })).toMatchObject({ status: 200 });
      expect(await call(updateProfile, { method: "PUT", token, body: { sFirstName: "Huda" } })).toMatchObject(
        { status: 200 },
      );
    }
    const settings = { params: { id: shop.merchant.id }, token: owner };
    expect(await call(readSettings, settings)).toMatchObject({ status: 200 });
    const refused = { status: 403, code: "merchant_suspended" };
    const posting = { customerId: customer.id, sPoints: 1, iBranchId: shop.branch.id };
    const writes = [
      call(topUp, { method: "POST", token: owner, body: posting }),
      call(topUp, { method: "POST", token: cashier, body: posting }),
      call(redeem, { method: "POST", token: cashier, body: posting }),
      call(openBranch, { method: "POST", token: owner, body: { sBranchName: "Two", sCity: "Doha" } }),
      call(invite, { method: "POST", token: owner, body: {} }),
      call(editCustomer, { method: "PUT", token: owner, params, body: { sFullName: "Huda" } }),
      call(changeSettings, { method: "PUT", ...settings, body: { iRefundDays: 1 } }),
    ];
    for (const answer of await Promise.all(writes)) {
      expect(answer).toMatchObject(refused);
      expect(answer.message).toContain(REASON);
    }
  });

  test("nothing is posted, not even by a super_admin; a repeat still gets its first result", async () => {
    const { id: customerId } = await makeCustomer(db, shop);
    const token = await tokenOf(db, shop.owner);
    const body = { customerId, sPoints: 25, iBranchId: shop.branch.id };
    const keyed = { method: "POST", token, body, headers: { "Idempotency-Key": `kept-${customerId}` } };
    const first = await call(topUp, keyed);
    expect(first.status).toBe(200);
    await suspend();
    expect(await call(topUp, { method: "POST", token: root, body })).toMatchObject({
      status: 404,
      code: "merchant_unavailable",
    });
    expect(await call(topUp, keyed)).toEqual(first);
    await put({ bSuspended: false });
    expect(await call(topUp, { method: "POST", token, body })).toMatchObject({
      status: 200,
      data: { sBalance: 50 },
    });
  });

  test("nobody signs up, and the sign-up link says why", async () => {
    const email = uniqueEmail("layla");
    await suspend();
    const link = await signupMerchant(publicContext(db), { merchantId: shop.merchant.publicId });
    expect(link.suspended).toBe(true);
    const now = new Date();
    await db.verification.create({
      data: {
        purpose: "register",
        email,
        tokenHash: hashSecret("a secret"),
        address: "127.0.0.1",
        createdAt: now,
        expiresAt: new Date(now.getTime() + 60_000),
      },
    });
    const details = { fullName: "Layla", email, phone: "+97455123456", dateOfBirth: "1995-04-12" };
    const input = { ...details, merchantId: shop.merchant.id, verification: "a secret" };
    await expect(registerCustomer(publicContext(db), input)).rejects.toMatchObject({
      code: "merchant_unavailable",
    });
    await put({ bSuspended: false });
    expect(await registerCustomer(publicContext(db), input)).toMatchObject({ isNewRegistration: true });
  });
});
