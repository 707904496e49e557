import { expect } from "vitest";
import { giveNotice } from "@/lib/audit/notices";
import { openHold } from "@/lib/holds/holds";
import type { Hold } from "@/lib/holds/names";
import { redeem } from "@/lib/ledger/move-points";
import { liveCode } from "@/lib/ledger/proof";
import { apiKeyContext, contextOf, uniqueEmail } from "../factories";
import { move } from "../movements";
import { type Examples, first, list, number, text, type World } from "./world";

const movementRead = {
  _id: text,
  sPoints: number,
  sBalance: number,
  sCashValue: text,
  customer: { _id: text, sUUID: text, sFullName: text },
  branch: { _id: text, sBranchName: text },
};

async function posting({ customer, shop }: World) {
  return { customerId: (await customer()).id, sPoints: "٢٥", iBranchId: shop.branch.id };
}

/** An open hold of 40 points that the shop's owner made. */
export async function userHold({ db, shop, customer }: World): Promise<Hold> {
  const at = { customerId: (await customer()).id, branchId: shop.branch.id };
  return (await openHold(contextOf(db, shop.owner), { ...at, points: 40, seconds: 600 })).hold;
}

const heldRead = { _id: text, eState: "open", sBalance: 100, iHeld: 40, iAvailable: 60, dExpiresAt: text };

const COUNTER: Examples = {
  "get /holds": async (world) => {
    const { id, customer } = await userHold(world);
    return {
      as: "worker",
      query: { customer: customer.publicId, state: "open" },
      data: { results: first({ _id: id, eState: "open", iPoints: 40, iRemaining: 40 }) },
    };
  },
  "get /holds/{id}": async (world) => {
    const { id } = await userHold(world);
    return { as: "worker", params: { id }, data: { _id: id, iPoints: 40, oDrawn: { iPaid: 40, iBonus: 0 } } };
  },
  "post /holds": async ({ customer, shop }) => ({
    as: "owner",
    body: {
      customerId: (await customer()).id,
      iBranchId: shop.branch.id,
      iPoints: 40,
      iSeconds: 600,
      sSaleRef: "INV-3",
    },
    headers: { "idempotency-key": uniqueEmail() },
    data: { ...heldRead, sSaleRef: "INV-3" },
  }),
  "post /holds/{id}/capture": async (world) => ({
    as: "owner",
    params: { id: (await userHold(world)).id },
    body: { iPoints: 25 },
    data: {
      ...movementRead,
      eType: "REDEEM",
      sPoints: -25,
      iHeld: 0,
      iAvailable: 75,
      hold: { eState: "captured", iCaptured: 25, iRemaining: 0 },
    },
  }),
  "post /holds/{id}/extend": async (world) => ({
    as: "owner",
    params: { id: (await userHold(world)).id },
    body: { iSeconds: 300 },
    data: { ...heldRead, bExtended: true },
  }),
  "post /holds/{id}/void": async (world) => ({
    as: "owner",
    params: { id: (await userHold(world)).id },
    body: { sReason: "Left" },
    data: { ...heldRead, eState: "voided", iHeld: 0, iAvailable: 100, sReason: "Left" },
  }),
  "post /holds/{id}/release": async ({ db, shop, customer }) => {
    const { id, publicId } = await customer();
    const at = { customerId: publicId, branchId: shop.branch.id };
    const key = await apiKeyContext(db, shop);
    const { hold } = await openHold(key, { ...at, points: 40, seconds: 600, idempotencyKey: uniqueEmail() });
    return {
      as: "worker",
      params: { id: hold.id },
      body: { sProof: liveCode(id, new Date()) },
      data: { eState: "voided", eReason: "taken_at_counter", iHeld: 0 },
    };
  },
  "post /top-up-points": async (world) => ({
    as: "worker",
    body: { ...(await posting(world)), eTender: "card", sSaleRef: "INV-1" },
    headers: { "idempotency-key": uniqueEmail() },
    data: {
      ...movementRead,
      eType: "TOP_UP",
      sPoints: 25,
      iPaid: 25,
      iBonus: 0,
      eTender: "card",
      sSaleRef: "INV-1",
      dOccurredAt: text,
      actor: { eType: "user", _id: text, sName: text },
      sBalance: 125,
      sCashValue: "125.00",
    },
  }),
  "post /redeem-points": async (world) => ({
    as: "worker",
    body: { ...(await posting(world)), sSaleRef: "INV-1" },
    data: {
      ...movementRead,
      eType: "REDEEM",
      sPoints: -25,
      sBalance: 75,
      sSaleRef: "INV-1",
      oDrawn: { iPaid: 25, iBonus: 0 },
    },
  }),
  "post /bonus-points": async (world) => ({
    as: "owner",
    body: { ...(await posting(world)), sReason: "National Day", dEndsAt: "2126-12-31" },
    data: { ...movementRead, eType: "BONUS", sPoints: 25, iPaid: 0, iBonus: 25, sBalance: 125 },
  }),
  "post /transactions/{id}/refund": async ({ db, shop, customer }) => ({
    as: "owner",
    params: { id: (await move(db, shop, await customer(), { type: "REDEEM", points: 30 })).id },
    body: { sPoints: 10, sReason: "Returned", sSaleRef: "INV-1" },
    data: { eType: "REFUND", sPoints: 10, iPaid: 10, iBonus: 0, sBalance: 80, sSaleRef: "INV-1" },
  }),
  "post /redeem-points/code": async ({ customer }) => ({
    as: "worker",
    body: { customerId: (await customer()).publicId, sPoints: 30 },
    data: { sSentTo: expect.stringContaining("•••@"), iSeconds: 300 },
  }),
  "post /transactions/{id}/reverse": async ({ movement }) => ({
    as: "owner",
    params: { id: (await movement()).id },
    body: { sReason: "Wrong amount" },
    data: { eType: "REVERSAL", sPoints: -40, sBalance: 0 },
  }),
  "post /reversals": async () => ({
    as: "worker",
    body: { sIdempotencyKey: "till-7-000412" },
    data: { eResult: "tombstone" },
  }),
  "get /transactions/{id}": async ({ movement }) => {
    const { id } = await movement();
    return { as: "owner", params: { id }, data: { _id: id, eType: "TOP_UP", sPoints: 40 } };
  },
  "get /transactions/{id}/receipt": async ({ movement, shop }) => {
    const { id } = await movement();
    return {
      as: "owner",
      params: { id },
      data: {
        _id: id,
        iPrints: 0,
        bCopy: false,
        iPaperWidth: 80,
        sMerchant: shop.merchant.businessName,
        aLines: list,
      },
    };
  },
  "post /transactions/{id}/receipt": async ({ movement }) => {
    const { id } = await movement();
    return { as: "owner", params: { id }, data: { _id: id, iPrints: 1, bCopy: false, bOpensDrawer: true } };
  },
  "get /recent-top-ups": async ({ movement }) => {
    await movement();
    return { as: "owner", data: { results: first({ eType: "TOP_UP", _id: text, sPoints: number }) } };
  },
  "get /recent-redeems": async ({ db, shop, customer }) => {
    await move(db, shop, await customer(), { type: "REDEEM", points: 5 });
    return { as: "owner", data: { results: first({ eType: "REDEEM", sPoints: -5 }) } };
  },
  "get /redeem-points/find": async ({ db, shop, customer }) => {
    const spent = {
      customerId: (await customer()).id,
      branchId: shop.branch.id,
      points: 5,
      saleRef: "INV-9",
    };
    await redeem(contextOf(db, shop.owner), spent);
    return {
      as: "owner",
      query: { sSaleRef: "inv-٩" },
      data: { results: first({ eType: "REDEEM", sPoints: -5, sSaleRef: "INV-9", iLeftToRefund: 5 }) },
    };
  },
  "get /top-up-points/search-customers": async ({ customer }) => {
    const { email, publicId } = await customer();
    return {
      as: "worker",
      query: { search: email ?? "" },
      data: [
        {
          _id: publicId,
          sUUID: publicId,
          sFullName: text,
          sBusinessName: text,
          sBalance: 100,
          sCashValue: "100.00",
        },
      ],
    };
  },
  "post /customers/find": async ({ customer }) => {
    const { email, publicId } = await customer();
    return {
      as: "worker",
      body: { sEmail: email },
      data: { _id: publicId, sUUID: publicId, sBalance: 100, iHeld: 0, iAvailable: 100, eStatus: "active" },
    };
  },
  "post /merchants-customer": async ({ customer, shop }) => ({
    as: "worker",
    body: { sEmail: (await customer()).email },
    data: {
      merchants: [{ _id: shop.merchant.id, branches: first({ _id: shop.branch.id, sCity: "Doha" }) }],
    },
  }),
  "post /customers/exists": async ({ customer, shop }) => ({
    as: "worker",
    body: { customerId: (await customer()).publicId, merchantId: shop.merchant.id },
    data: { exists: true },
  }),
  "get /transactions": async ({ movement }) => {
    const { id } = await movement();
    return { as: "owner", data: { results: first({ _id: id, sPoints: 40 }) } };
  },
  "get /ledger/verify": () => ({ as: "owner" }),
  "post /ledger/verify": () => ({ as: "owner", data: { eState: "running", bOk: null } }),
  "get /activity": async ({ movement }) => {
    await movement();
    return { as: "owner", query: { kind: "session" }, data: { results: list } };
  },
  "get /notices": async ({ db, shop }) => {
    await giveNotice(db, { kind: "offline_inbox", merchantId: shop.merchant.id, amount: 2 });
    return { as: "owner", data: { results: first({ eKind: "offline_inbox", iAmount: 2 }), iUnread: number } };
  },
  "get /search": async ({ customer }) => {
    const { id, email } = await customer();
    return {
      as: "owner",
      query: { search: email ?? "" },
      data: { customers: [{ _id: id, sName: text, sDetail: email }], transactions: [], merchants: [] },
    };
  },
  "put /notices/seen": () => ({
    as: "owner",
    body: { dSeenTo: new Date().toISOString() },
    data: { iUnread: number },
  }),
  "get /ledger/journal": async ({ movement }) => {
    await movement();
    return { as: "owner", query: { from: "2026-01-01", to: "2099-01-01" } };
  },
  "get /reports/liability": async ({ movement }) => {
    await movement();
    const pockets = { iPaid: number, iBonus: number };
    return {
      as: "owner",
      query: { from: "2026-01-01", to: "2099-01-01" },
      data: { oOpening: { iPaid: 0, iBonus: 0 }, iToppedUp: number, oRefunded: pockets, oClosing: pockets },
    };
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
  "get /customer-management/view/{id}": async ({ customer, shop }) => ({
    as: "worker",
    params: { id: (await customer()).publicId },
    data: {
      sFullName: text,
      sBalance: 100,
      oPockets: { iPaid: 100, iBonus: 0 },
      sQRCode: expect.stringMatching(/^data:image\//),
      dRegisteredAt: text,
      iMerchantId: { _id: shop.merchant.id, sBusinessName: text },
    },
  }),
  "put /customer-management/{id}": async ({ customer }) => ({
    as: "owner",
    params: { id: (await customer()).id },
    body: { sFullName: "Omar Al Sulaiti", eStatus: "blocked" },
    data: { sFullName: "Omar Al Sulaiti", eStatus: "blocked" },
  }),
  "post /customer-management/block": async ({ customer }) => ({
    as: "owner",
    body: {
      aCustomerIds: [(await customer()).id, (await customer()).id],
      eStatus: "blocked",
      sReason: "Cards of a former worker",
    },
    data: { iChanged: 2, iLeft: 0 },
  }),
  "get /customers/totals": () => ({
    as: "owner",
    data: [{ iTotalCustomers: number, sTotalBalance: number }],
  }),
};

/** Examples of the calls of the counter and of customer management. */
export const COUNTER_EXAMPLES: Examples = { ...COUNTER, ...CUSTOMERS };
