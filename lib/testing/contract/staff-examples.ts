import { Secret, TOTP } from "otpauth";
import { expect } from "vitest";
import { addPasskey, startPasskey, startTotp } from "@/lib/accounts/factors/manage";
import { openSession } from "@/lib/accounts/session";
import { createApiKey } from "@/lib/api-keys/api-keys";
import { createWebhook } from "@/lib/webhooks/webhooks";
import { tokenOf } from "../calls";
import { contextOf, makeAdmin, makeMerchant, makeWorker, PASSWORD, uniqueEmail } from "../factories";
import { waitForOpenTransactions } from "../horizon";
import { softPasskey } from "../passkey";
import { APPLICANT_EXAMPLES } from "./account-examples";
import { CONFIG_EXAMPLES } from "./config-examples";
import { COUNTER_EXAMPLES } from "./counter-examples";
import { TILL_EXAMPLES } from "./till-examples";
import { type Examples, first, list, number, text, type World } from "./world";

const colleague = async ({ db, shop }: World) => {
  const user = await makeWorker(db, shop);
  return { user, token: await tokenOf(db, user) };
};

const newBranch = () => ({ sBranchName: `Branch ${uniqueEmail()}`, sCity: "Al Wakrah" });

const ACCOUNT: Examples = {
  "get /profile": ({ users, shop }) => ({
    as: "owner",
    data: {
      _id: users.owner.id,
      eRole: "merchant_owner",
      sFirstName: text,
      sLastName: text,
      iMerchantId: shop.merchant.id,
      merchant: { sBusinessName: shop.merchant.businessName, sSignupUrl: text },
      eStatus: "A",
    },
  }),
  "post /auth/logout": async (world) => ({ token: (await colleague(world)).token }),
  "post /auth/confirm-email": async (world) => {
    const { user, token } = await colleague(world);
    await world.db.user.update({ where: { id: user.id }, data: { emailProvedAt: null } });
    return { token };
  },
  "put /auth/update-profile": () => ({
    as: "owner",
    body: { sFirstName: "نورة" },
    data: { sFirstName: "نورة" },
  }),
  ...APPLICANT_EXAMPLES,
  "put /auth/change-password": async (world) => ({
    token: (await colleague(world)).token,
    body: { sOldPassword: PASSWORD, sNewPassword: "a long new password" },
    data: { token: text, expiresAt: text },
  }),
};

const passkeyOptions = ({ jOptions }: { jOptions: unknown }) => jOptions as { challenge: string };

/** A user of their own, with a session and, by the operations, what the call needs. */
async function secured(world: World) {
  const user = await makeWorker(world.db, world.shop);
  const session = await openSession(world.db, {
    userId: user.id,
    userAgent: null,
    address: "127.0.0.1",
    now: new Date(),
  });
  await world.db.session.update({
    where: { id: session.id },
    data: { steppedUpUntil: new Date(Date.now() + 300_000) },
  });
  const ctx = contextOf(world.db, user, { actor: { sessionId: session.id } });
  const begin = async () => passkeyOptions({ jOptions: (await startPasskey(ctx, {})).options });
  const withPasskey = async () => {
    const attestation = softPasskey().create(await begin()) as never;
    return addPasskey(ctx, { attestation });
  };
  return { ctx, token: session.token, begin, withPasskey };
}
const codeOf = (uri: string) =>
  new TOTP({ secret: Secret.fromBase32(new URL(uri).searchParams.get("secret") ?? "") }).generate();

const SECURITY: Examples = {
  "get /auth/step-up": () => ({ as: "owner", data: { sChallenge: text, aMethods: ["password"] } }),
  "post /auth/step-up": async (world) => ({
    token: (await secured(world)).token,
    body: { sPassword: PASSWORD },
    data: { dUntil: text },
  }),
  "get /second-factors": () => ({ as: "owner", data: { aFactors: list, nRecoveryCodes: 0 } }),
  "post /second-factors/totp": async (world) => ({
    token: (await secured(world)).token,
    data: { sSecret: text, sUri: text },
  }),
  "put /second-factors/totp": async (world) => {
    const { ctx, token } = await secured(world);
    const { uri } = await startTotp(ctx, {});
    return { token, body: { sCode: codeOf(uri), sName: "Phone" }, data: { aRecoveryCodes: list } };
  },
  "post /second-factors/passkey": async (world) => ({
    token: (await secured(world)).token,
    data: { jOptions: { challenge: text } },
  }),
  "put /second-factors/passkey": async (world) => {
    const { token, begin } = await secured(world);
    const jAttestation = softPasskey().create(await begin());
    return { token, body: { jAttestation, sName: "Laptop" }, data: { _id: text, aRecoveryCodes: list } };
  },
  "post /second-factors/recovery-codes": async (world) => {
    const { token, withPasskey } = await secured(world);
    await withPasskey();
    return { token, data: { aRecoveryCodes: list } };
  },
  "put /second-factors/{id}": async (world) => {
    const { token, withPasskey } = await secured(world);
    return { token, params: { id: (await withPasskey()).id }, body: { sName: "Desk" } };
  },
  "delete /second-factors/{id}": async (world) => {
    const { token, withPasskey } = await secured(world);
    return { token, params: { id: (await withPasskey()).id } };
  },
  "get /admins": ({ users }) => ({ as: "super", data: { results: first({ _id: users.super.id }) } }),
  "post /admins": () => ({
    as: "super",
    body: { sFirstName: "Sara", sLastName: "Haddad", sEmail: uniqueEmail("sara"), eRole: "admin" },
    data: { _id: text, eStatus: "invited" },
  }),
  "put /admins/{id}": async ({ db }) => ({
    as: "super",
    params: { id: (await makeAdmin(db, { role: "admin" })).id },
    body: { bActive: false },
    data: { eStatus: "disabled" },
  }),
};

const MERCHANT: Examples = {
  "get /branches": ({ shop }) => ({
    as: "owner",
    query: { sort: "added" },
    data: { results: first({ _id: shop.branch.id }) },
  }),
  "post /branches": () => ({ as: "owner", body: newBranch(), data: { _id: text, sCity: "Al Wakrah" } }),
  "get /branches/{id}": async ({ branch }) => ({ as: "owner", params: { id: (await branch()).id } }),
  "put /branches/{id}": async ({ branch }) => ({
    as: "owner",
    params: { id: (await branch()).id },
    body: { sCity: "Lusail" },
    data: { sCity: "Lusail" },
  }),
  "delete /branches/{id}": async ({ branch }) => ({ as: "owner", params: { id: (await branch()).id } }),
  "get /outlets": () => ({ as: "super", data: { results: list } }),
  "post /outlets": ({ shop }) => ({
    as: "super",
    body: { ...newBranch(), iMerchantId: shop.merchant.id },
    data: { iMerchantId: shop.merchant.id },
  }),
  "put /outlets/{id}": async ({ branch }) => ({
    as: "super",
    params: { id: (await branch()).id },
    body: { bArchived: true },
    data: { bArchived: true },
  }),
  "delete /outlets/{id}": async ({ branch }) => ({ as: "super", params: { id: (await branch()).id } }),
  "get /workers": ({ users }) => ({
    as: "owner",
    query: { search: users.worker.email },
    data: { results: [{ _id: users.worker.id, bActive: true }] },
  }),
  "post /workers": ({ shop }) => ({
    as: "owner",
    body: {
      sFirstName: "Ravi",
      sLastName: "Kumar",
      sEmail: uniqueEmail("ravi"),
      sPhoneNumber: "97455123456",
      iBranchId: shop.branch.id,
    },
    data: { _id: text, iBranchId: shop.branch.id },
  }),
  "get /workers/{id}": ({ users }) => ({ as: "owner", params: { id: users.worker.id } }),
  "put /workers/{id}": async ({ worker }) => ({
    as: "owner",
    params: { id: (await worker()).id },
    body: { bActive: false },
    data: { bActive: false },
  }),
  "delete /workers/{id}": async ({ worker }) => ({
    as: "owner",
    params: { id: (await worker()).id },
    data: { eStatus: "disabled" },
  }),
};

const newApiKey = ({ db, users }: World) =>
  createApiKey(contextOf(db, users.owner), { name: "Web shop", scopes: ["topup"] });
const apiKeyRead = { _id: text, sName: text, sPrefix: text, eState: text, iCallsOfDay: number };

const API_KEYS: Examples = {
  "get /api-keys": async (world) => {
    const { id } = await newApiKey(world);
    return { as: "owner", data: { results: first({ _id: id, eState: "active", aScopes: ["topup"] }) } };
  },
  "post /api-keys": ({ shop }) => ({
    as: "owner",
    body: { sName: "Kiosk", aScopes: ["redeem"], iBranchId: shop.branch.id, aAddresses: ["203.0.113.0/24"] },
    data: { ...apiKeyRead, sKey: expect.stringMatching(/^wk_test_/), aScopes: ["redeem"] },
  }),
  "put /api-keys/{id}": async (world) => ({
    as: "owner",
    params: { id: (await newApiKey(world)).id },
    body: { sName: "New name", iMaxPointsOne: 50, iBranchId: world.shop.branch.id },
    data: { ...apiKeyRead, sName: "New name", iMaxPointsOne: 50 },
  }),
  "post /api-keys/{id}/rotate": async (world) => ({
    as: "owner",
    params: { id: (await newApiKey(world)).id },
    data: { ...apiKeyRead, sKey: text, eState: "rotating", dOlderEndsAt: text },
  }),
  "delete /api-keys/{id}": async (world) => ({
    as: "owner",
    params: { id: (await newApiKey(world)).id },
    data: { ...apiKeyRead, eState: "revoked", dRevokedAt: text },
  }),
};

/** A merchant has twenty at most, and these examples are made often. */
const noWebhooks = ({ db, shop }: World) =>
  db.webhookEndpoint.deleteMany({ where: { merchantId: shop.merchant.id } });
const newWebhook = async (world: World) => {
  const { db, users } = world;
  await noWebhooks(world);
  return createWebhook(contextOf(db, users.owner), {
    url: "http://127.0.0.1:9/events",
    events: ["import.posted", "shift.closed"],
  });
};
const webhookRead = { _id: text, sUrl: text, aEvents: list, eState: "active", bOrdered: true };

const WEBHOOKS: Examples = {
  "get /events": async (world) => {
    const { id, publicId } = await world.customer(0);
    await waitForOpenTransactions(world.db);
    const event = {
      type: "customer.created",
      data: expect.objectContaining({ customer: expect.anything() }),
    };
    expect(publicId).not.toBe(id);
    return {
      as: "owner",
      query: { types: "customer.created", limit: "100" },
      data: { results: first(event) },
    };
  },
  "get /webhooks": async (world) => {
    const { id } = await newWebhook(world);
    return { as: "owner", data: { results: first({ _id: id, eState: "active" }) } };
  },
  "post /webhooks": async (world) => {
    await noWebhooks(world);
    return {
      as: "owner",
      body: {
        sUrl: "http://127.0.0.1:9/events",
        aEvents: ["import.posted"],
        iBranchId: world.shop.branch.id,
        bAsymmetric: true,
      },
      data: {
        ...webhookRead,
        sSecret: expect.stringMatching(/^whsec_/),
        sPublicKey: expect.stringMatching(/^whpk_/),
      },
    };
  },
  "put /webhooks/{id}": async (world) => ({
    as: "owner",
    params: { id: (await newWebhook(world)).id },
    body: { aEvents: ["shift.closed"], iBranchId: world.shop.branch.id, eState: "disabled" },
    data: { ...webhookRead, aEvents: ["shift.closed"], eState: "disabled" },
  }),
  "delete /webhooks/{id}": async (world) => ({
    as: "owner",
    params: { id: (await newWebhook(world)).id },
  }),
  "post /webhooks/{id}/rotate": async (world) => ({
    as: "owner",
    params: { id: (await newWebhook(world)).id },
    data: { ...webhookRead, sSecret: text, dOlderEndsAt: text },
  }),
  "post /webhooks/{id}/test": async (world) => ({
    as: "owner",
    params: { id: (await newWebhook(world)).id },
    data: { sEventId: text },
  }),
  "get /webhooks/{id}/deliveries": async (world) => ({
    as: "owner",
    params: { id: (await newWebhook(world)).id },
    query: { eState: "failed" },
    data: { results: [] },
  }),
  "post /webhooks/{id}/replay": async (world) => ({
    as: "owner",
    params: { id: (await newWebhook(world)).id },
    body: { bFailedOnly: true },
    data: { iCount: 0 },
  }),
};

const PLATFORM: Examples = {
  "get /merchants": () => ({ as: "admin", query: { eStatus: "P", sort: "name" }, data: { results: list } }),
  "get /merchants/{id}": ({ shop }) => ({
    as: "admin",
    params: { id: shop.merchant.id },
    data: { _id: shop.merchant.id, branches: first({ _id: shop.branch.id }) },
  }),
  "put /merchants/{id}/approval": async ({ db }) => ({
    as: "admin",
    params: { id: (await makeMerchant(db, { status: "pending" })).merchant.id },
    body: { eStatus: "A" },
    data: { eStatus: "A" },
  }),
  "get /merchants/{id}/settings": ({ shop }) => ({
    as: "owner",
    params: { id: shop.merchant.id },
    data: { eSpendOrder: "bonus_first", iRedeemAllowanceCeiling: number, aTenders: list },
  }),
  "put /merchants/{id}/settings": async ({ db }) => ({
    as: "super",
    params: { id: (await makeMerchant(db)).merchant.id },
    body: { iRefundDays: "٧", aTenders: ["card", "cash"], bAskSaleRef: false },
    data: { iRefundDays: 7, aTenders: ["cash", "card"], bAskSaleRef: false },
  }),
  "put /merchants/{id}/suspension": async ({ db }) => ({
    as: "super",
    params: { id: (await makeMerchant(db)).merchant.id },
    body: { bSuspended: true, sReason: "The trade licence has expired." },
    data: { bSuspended: true, eStatus: "A" },
  }),
};

/** Examples of the calls for staff. */
export const STAFF_EXAMPLES: Examples = {
  ...API_KEYS,
  ...WEBHOOKS,
  ...ACCOUNT,
  ...SECURITY,
  ...COUNTER_EXAMPLES,
  ...TILL_EXAMPLES,
  ...MERCHANT,
  ...PLATFORM,
  ...CONFIG_EXAMPLES,
};
