import { expect } from "vitest";
import { tokenOf } from "../calls";
import { makeMerchant, makeWorker, PASSWORD, uniqueEmail } from "../factories";
import { move } from "../movements";
import type { Examples, World } from "./world";

const text = expect.any(String);
const number = expect.any(Number);
const list = expect.arrayContaining([]);
const first = (row: unknown) => expect.arrayContaining([expect.objectContaining(row as object)]);

const movementRead = {
  _id: text,
  sPoints: number,
  sBalance: number,
  sCashValue: text,
  customer: { _id: text, sUUID: text, sFullName: text },
  branch: { _id: text, sBranchName: text },
};

async function posting({ customer, house }: World) {
  return { customerId: (await customer()).id, sPoints: "٢٥", iBranchId: house.branch.id };
}

const colleague = async ({ db, house }: World) => {
  const user = await makeWorker(db, house);
  return { user, token: await tokenOf(db, user) };
};

const CONFIG = {
  iDirhamsPerPoint: 100,
  iMinTopup: 1,
  iMaxTopup: 5000,
  iMaxBalance: 20_000,
  iUndoMinutes: 15,
};
const newBranch = () => ({ sBranchName: `Branch ${uniqueEmail()}`, sCity: "Al Wakrah" });

const ACCOUNT: Examples = {
  "get /profile": ({ users, house }) => ({
    as: "owner",
    data: {
      _id: users.owner.id,
      eRole: "merchant_owner",
      sFirstName: text,
      sLastName: text,
      iMerchantId: house.merchant.id,
      merchant: { sBusinessName: house.merchant.businessName, sSignupUrl: text },
      eStatus: "A",
    },
  }),
  "post /auth/logout": async (world) => ({ token: (await colleague(world)).token }),
  "put /auth/update-profile": () => ({
    as: "owner",
    body: { sFirstName: "نورة" },
    data: { sFirstName: "نورة" },
  }),
  "put /auth/change-password": async (world) => ({
    token: (await colleague(world)).token,
    body: { sOldPassword: PASSWORD, sNewPassword: "a long new password" },
  }),
};

const COUNTER: Examples = {
  "post /top-up-points": async (world) => ({
    as: "worker",
    body: await posting(world),
    headers: { "idempotency-key": uniqueEmail() },
    data: { ...movementRead, eType: "TOP_UP", sPoints: 25, sBalance: 125, sCashValue: "125.00" },
  }),
  "post /redeem-points": async (world) => ({
    as: "worker",
    body: await posting(world),
    data: { ...movementRead, eType: "REDEEM", sPoints: -25, sBalance: 75 },
  }),
  "post /transactions/{id}/reverse": async ({ movement }) => ({
    as: "owner",
    params: { id: (await movement()).id },
    body: { sReason: "Wrong amount" },
    data: { eType: "REVERSAL", sPoints: -40, sBalance: 0 },
  }),
  "get /recent-top-ups": async ({ movement }) => {
    await movement();
    return { as: "owner", data: { results: first({ eType: "TOP_UP", _id: text, sPoints: number }) } };
  },
  "get /recent-redeems": async ({ db, house, customer }) => {
    await move(db, house, await customer(), { type: "REDEEM", points: 5 });
    return { as: "owner", data: { results: first({ eType: "REDEEM", sPoints: -5 }) } };
  },
  "get /top-up-points/search-customers": async ({ customer }) => {
    const { email, id, publicId } = await customer();
    return {
      as: "worker",
      query: { search: email ?? "" },
      data: [
        {
          _id: id,
          sUUID: publicId,
          sFullName: text,
          sBusinessName: text,
          sBalance: 100,
          sCashValue: "100.00",
        },
      ],
    };
  },
  "post /merchants-customer": async ({ customer, house }) => ({
    as: "worker",
    body: { sEmail: (await customer()).email },
    data: {
      merchants: [{ _id: house.merchant.id, branches: first({ _id: house.branch.id, sCity: "Doha" }) }],
    },
  }),
  "post /customers/exists": async ({ customer, house }) => ({
    as: "worker",
    body: { customerId: (await customer()).publicId, merchantId: house.merchant.id },
    data: { exists: true },
  }),
  "get /transactions": async ({ movement }) => {
    const { id } = await movement();
    return { as: "owner", data: { results: first({ _id: id, sPoints: 40 }) } };
  },
  "get /transactions/export": async ({ movement }) => {
    await movement();
    return { as: "owner" };
  },
};

const CUSTOMERS: Examples = {
  "get /customer-management": async ({ customer }) => {
    const { id, publicId } = await customer();
    const row = { _id: id, sUUID: publicId, sFullName: text, sBalance: 100, sCashValue: "100.00" };
    return {
      as: "owner",
      query: { page: "1", limit: "5", sort: "-joined" },
      data: { customers: first(row), total: number },
    };
  },
  "get /customer-management/view/{id}": async ({ customer, house }) => ({
    as: "worker",
    params: { id: (await customer()).publicId },
    data: {
      sFullName: text,
      sBalance: 100,
      sQRCode: expect.stringMatching(/^data:image\//),
      dRegisteredAt: text,
      iMerchantId: { _id: house.merchant.id, sBusinessName: text },
    },
  }),
  "put /customer-management/{id}": async ({ customer }) => ({
    as: "owner",
    params: { id: (await customer()).id },
    body: { sFullName: "Omar Al Sulaiti", eStatus: "blocked" },
    data: { sFullName: "Omar Al Sulaiti", eStatus: "blocked" },
  }),
  "get /customers/totals": () => ({
    as: "owner",
    data: [{ iTotalCustomers: number, sTotalBalance: number }],
  }),
};

const HOUSE: Examples = {
  "get /branches": ({ house }) => ({
    as: "owner",
    query: { sort: "added" },
    data: { results: first({ _id: house.branch.id }) },
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
  "post /outlets": ({ house }) => ({
    as: "super",
    body: { ...newBranch(), iMerchantId: house.merchant.id },
    data: { iMerchantId: house.merchant.id },
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
  "post /workers": ({ house }) => ({
    as: "owner",
    body: {
      sFirstName: "Ravi",
      sLastName: "Kumar",
      sEmail: uniqueEmail("ravi"),
      sPhoneNumber: "97455123456",
      iBranchId: house.branch.id,
    },
    data: { _id: text, iBranchId: house.branch.id },
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

const PLATFORM: Examples = {
  "get /merchants": () => ({ as: "admin", query: { eStatus: "P", sort: "name" }, data: { results: list } }),
  "get /merchants/{id}": ({ house }) => ({
    as: "admin",
    params: { id: house.merchant.id },
    data: { _id: house.merchant.id, branches: first({ _id: house.branch.id }) },
  }),
  "put /merchants/{id}/approval": async ({ db }) => ({
    as: "admin",
    params: { id: (await makeMerchant(db, { status: "pending" })).merchant.id },
    body: { eStatus: "A" },
    data: { eStatus: "A" },
  }),
  "get /points-config": () => ({ as: "owner", data: { ...CONFIG, iDirhamsPerPoint: number } }),
  "put /points-config": async ({ db }) => ({
    as: "admin",
    body: { ...CONFIG, iMaxTopup: "٤٠٠٠", iMerchantId: (await makeMerchant(db)).merchant.id },
    data: { iMaxTopup: 4000, bOverride: true },
  }),
  "delete /points-config": async ({ db }) => {
    const { merchant } = await makeMerchant(db);
    await db.pointsConfig.create({
      data: {
        merchantId: merchant.id,
        version: 1,
        dirhamsPerPoint: 100,
        minTopUp: 1,
        maxTopUp: 4000,
        maxBalance: 20_000,
        undoMinutes: 15,
      },
    });
    return {
      as: "admin",
      query: { iMerchantId: merchant.id },
      data: { iMaxTopup: 5000, bOverride: false },
    };
  },
  "get /points-config/history": () => ({ as: "admin", data: { results: list } }),
};

/** What only staff may call. */
export const STAFF_EXAMPLES: Examples = { ...ACCOUNT, ...COUNTER, ...CUSTOMERS, ...HOUSE, ...PLATFORM };
