import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { signIn } from "@/lib/accounts/sign-in";
import { formatPhone } from "@/lib/domain/contact";
import { filterOptions } from "@/lib/ledger/read-movements";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import {
  contextOf,
  makeAdmin,
  makeCustomer,
  makeMerchant,
  publicContext,
  uniqueEmail,
} from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { updateBusiness, viewBusiness } from "./business";
import { countMerchants, merchantOptions } from "./read-merchants";
import { signUpMerchant } from "./sign-up-merchant";

const emailExist = handlerOf("POST", "auth/merchant/email-exist");
const signUp = handlerOf("POST", "auth/merchant/signup");
const customerExist = handlerOf("POST", "customer-exist");
const list = handlerOf("GET", "merchants");

const db = await testDb();
const PASSWORD = "a long new password";

const application = (overrides = {}) => ({
  businessName: "Majlis Coffee",
  firstName: "Noora",
  lastName: "Al-Kuwari",
  email: uniqueEmail("noora"),
  phone: "+97455123456",
  password: PASSWORD,
  branch: { name: "The Pearl", city: "Doha" },
  ...overrides,
});
const mailsTo = (recipient: string) => db.email.findMany({ where: { recipient }, orderBy: { id: "asc" } });

describe("sign-up", () => {
  test("creates a pending merchant, its owner and first branch, and e-mails the owner in their language", async () => {
    const input = application();
    const ctx = publicContext(db, { locale: "ar" });
    const { id, status } = await signUpMerchant(ctx, input);
    expect(status).toBe("pending");
    expect(await db.branch.findMany({ where: { merchantId: id } })).toMatchObject([
      { name: "The Pearl", city: "Doha" },
    ]);
    const session = await signIn(ctx, { email: input.email, password: PASSWORD });
    expect(session.user.role).toBe("merchant_owner");
    const [proof, received] = await mailsTo(input.email);
    expect(proof).toMatchObject({ locale: "ar" });
    expect(proof?.text).toContain("/confirm-email/");
    expect(received?.text).toContain("/account-status");
  });

  test("of two concurrent sign-ups with one e-mail, one succeeds and the other leaves nothing behind", async () => {
    const email = uniqueEmail("twice");
    const both = await Promise.allSettled([
      signUpMerchant(publicContext(db), application({ email })),
      signUpMerchant(publicContext(db), application({ email })),
    ]);
    expect(both.map((one) => one.status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(both.find((one) => one.status === "rejected")).toMatchObject({ reason: { code: "email_taken" } });
    expect(await db.merchant.count({ where: { email } })).toBe(1);
    expect(await mailsTo(email)).toHaveLength(2);
  });

  test("an existing account's e-mail, a common password and an unknown upload are refused", async () => {
    const { owner } = await makeMerchant(db);
    const ctx = publicContext(db);
    await expect(signUpMerchant(ctx, application({ email: owner.email }))).rejects.toMatchObject({
      code: "email_taken",
    });
    await expect(signUpMerchant(ctx, application({ password: "1234567890" }))).rejects.toMatchObject({
      code: "weak_password",
    });
    const image = "images/00000000-0000-4000-8000-000000000001.webp";
    await expect(signUpMerchant(ctx, application({ image }))).rejects.toMatchObject({
      code: "upload_unknown",
    });
  });

  test("an address can sign up at most 20 merchants an hour, also in parallel", async () => {
    const ctx = publicContext(db, { address: "10.4.0.1" });
    const tries = Array.from({ length: 23 }, () => signUpMerchant(ctx, application()));
    const results = await Promise.allSettled(tries);
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(20);
    await expect(signUpMerchant(ctx, application())).rejects.toMatchObject({ code: "rate_limited" });
    const elsewhere = publicContext(db, { address: "10.4.0.2" });
    await expect(signUpMerchant(elsewhere, application())).resolves.toMatchObject({ status: "pending" });
  });

  test("the API takes the specification's field names and names each missing field", async () => {
    const sEmail = uniqueEmail("wire");
    const body = {
      sBusinessName: "Wire Coffee",
      sFirstName: "Noora",
      sLastName: "Al-Kuwari",
      sEmail,
      sPhoneNumber: "55123456",
      sPassword: PASSWORD,
      branch: { sBranchName: "The Pearl", sCity: "Doha" },
    };
    expect(await call(signUp, { method: "POST", body })).toMatchObject({
      status: 200,
      data: { eStatus: "P" },
    });
    const empty = await call(signUp, { method: "POST", body: {} });
    expect(empty).toMatchObject({ status: 400, code: "validation" });
    expect(empty.errors?.map((problem) => problem.path)).toEqual([
      "sBusinessName",
      "sFirstName",
      "sLastName",
      "sEmail",
      "sPhoneNumber",
      "sPassword",
      "branch",
    ]);
    const exists = (email: string) => call(emailExist, { method: "POST", body: { sEmail: email } });
    expect(await exists(sEmail.toUpperCase())).toMatchObject({ data: { exists: true } });
    expect(await exists(uniqueEmail("nobody"))).toMatchObject({ data: { exists: false } });
  });
});

describe("the list", () => {
  test("finds a merchant by its owner's whole name, and by the phone as it is shown", async () => {
    const token = await tokenOf(db, await makeAdmin(db));
    const lastName = `Al Wakra ${randomUUID()}`;
    const { merchant } = await makeMerchant(db, { firstName: "Hind", lastName });
    const found = async (search: string) => {
      const { data } = await call(list, { token, query: `?search=${encodeURIComponent(search)}` });
      return (data as { results: { _id: string }[] }).results.map(({ _id }) => _id);
    };
    expect(await found(`hind ${lastName}`)).toEqual([merchant.id]);
    expect(await found(formatPhone(merchant.phone))).toContain(merchant.id);
    expect(await found(`salem ${lastName}`)).toEqual([]);
  });

  test("filters by status and by a part of the name, with cursors, for administrators only", async () => {
    const admin = await makeAdmin(db);
    const token = await tokenOf(db, admin);
    for (const businessName of ["Zubara One", "Zubara Two", "Zubara Three"]) {
      await makeMerchant(db, { businessName, status: "rejected" });
    }
    const first = await call(list, { token, query: "?search=zubara&eStatus=R&limit=2" });
    expect(first).toMatchObject({
      data: { results: [{ sBusinessName: "Zubara Three" }, { sBusinessName: "Zubara Two", eStatus: "R" }] },
    });
    const { nextCursor } = first.data as { nextCursor: string };
    expect(await call(list, { token, query: `?search=zubara&limit=2&cursor=${nextCursor}` })).toMatchObject({
      data: { results: [{ sBusinessName: "Zubara One" }], nextCursor: null },
    });
    expect((await countMerchants(contextOf(db, admin), {})).rejected).toBeGreaterThanOrEqual(3);
    const options = await merchantOptions(contextOf(db, admin), {});
    expect(options.some(({ label }) => label.startsWith("Zubara"))).toBe(false);
    // The one that a page is narrowed to is named, whatever its status.
    const pending = await makeMerchant(db, { businessName: "Zubara Four", status: "pending" });
    const chosen = { merchantId: pending.merchant.id };
    const option = { value: pending.merchant.id, label: "Zubara Four" };
    expect(await merchantOptions(contextOf(db, admin), { ...chosen })).toContainEqual(option);
    expect((await filterOptions(contextOf(db, admin), chosen)).merchants).toContainEqual({
      id: option.value,
      name: option.label,
    });
    const stranger = await tokenOf(db, (await makeMerchant(db)).owner);
    expect(await call(list, { token: stranger })).toMatchObject({ status: 403 });
  });
});

describe("the business profile", () => {
  test("an owner changes their own merchant only", async () => {
    const { owner, merchant } = await makeMerchant(db, { status: "pending" });
    const other = await makeMerchant(db);
    const ctx = contextOf(db, owner);
    const changed = await updateBusiness(ctx, { businessName: "Karak Two" });
    expect(changed).toMatchObject({ businessName: "Karak Two" });
    expect(await db.merchant.findUnique({ where: { id: other.merchant.id } })).toMatchObject({
      businessName: other.merchant.businessName,
    });
    expect(await db.audit.count({ where: { entityId: merchant.id, action: "merchant.changed" } })).toBe(1);
    const admin = contextOf(db, await makeAdmin(db));
    await expect(viewBusiness(admin, {})).rejects.toMatchObject({ code: "forbidden" });
  });
});

test("customer-exist answers whether an e-mail has a card at a merchant", async () => {
  const shop = await makeMerchant(db);
  const other = await makeMerchant(db);
  const customer = await makeCustomer(db, shop);
  const exists = (iMerchantId: string) =>
    call(customerExist, { method: "POST", body: { sEmail: customer.email, iMerchantId } });
  expect(await exists(shop.merchant.id)).toMatchObject({ data: { exists: true } });
  expect(await exists(other.merchant.id)).toMatchObject({ data: { exists: false } });
});
