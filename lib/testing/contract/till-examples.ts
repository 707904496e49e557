import { randomUUID } from "node:crypto";
import { setPin } from "@/lib/accounts/pin";
import { closeShift, openShift } from "@/lib/tills/run-shifts";
import { syncTill } from "@/lib/tills/sync-till";
import { createTill } from "@/lib/tills/tills";
import { tokenOf } from "../calls";
import { contextOf, makeBranch, makeWorker, PASSWORD } from "../factories";
import { contextAt, makeTill, newTillKey, signEntry, type TillFixture } from "../tills";
import { type Examples, first, number, text, type World } from "./world";

const name = () => `Till ${randomUUID().slice(0, 8)}`;
const owner = ({ db, users }: World) => contextOf(db, users.owner);

/** A till with an open shift. */
export async function tillWithShift(world: World) {
  const at = await makeTill(world.db, world.shop);
  const shift = await openShift(owner(world), { tillId: at.till.id, float: 20_000 });
  return { ...at, shift };
}

async function keptEntry({ shop, users, customer }: World, { key }: TillFixture, given: object = {}) {
  const claimed = {
    n: 1,
    sKey: randomUUID(),
    iWorkerId: users.worker.id,
    customerId: (await customer(0)).id,
    ...{
      iBranchId: shop.branch.id,
      sPoints: 10,
      eTender: "cash" as const,
      dOccurredAt: new Date().toISOString(),
    },
    ...given,
  };
  return { ...claimed, sSig: await signEntry(key, claimed) };
}

/** An entry of the owner's inbox. */
export async function inboxEntry(world: World) {
  const at = await makeTill(world.db, world.shop);
  const entry = await keptEntry(world, at, { customerId: randomUUID() });
  await syncTill(contextAt(world.db, world.users.worker, at), { entries: [entry] });
  return world.db.offlineEntry.findFirstOrThrow({ where: { tillId: at.till.id } });
}

const TILLS: Examples = {
  "get /tills": async (world) => {
    const { till } = await makeTill(world.db, world.shop);
    return { as: "owner", data: { results: first({ _id: till.id, sName: till.name, bPaired: true }) } };
  },
  "post /tills": ({ shop }) => ({
    as: "owner",
    body: { iBranchId: shop.branch.id, sName: name() },
    data: { _id: text, sPairingCode: text, dPairingExpiresAt: text, bPaired: false },
  }),
  "get /tills/{id}": async (world) => {
    const { till } = await makeTill(world.db, world.shop);
    return { as: "owner", params: { id: till.id }, data: { _id: till.id } };
  },
  "put /tills/{id}": async (world) => {
    const { till } = await makeTill(world.db, world.shop);
    const branch = await makeBranch(world.db, world.shop);
    const sName = name();
    return {
      as: "owner",
      params: { id: till.id },
      body: { sName, iBranchId: branch.id, bPinLocked: false, bNewCode: true },
      data: { sName, branch: { _id: branch.id }, bPinLocked: false, sPairingCode: text },
    };
  },
  "delete /tills/{id}": async (world) => {
    const { till } = await makeTill(world.db, world.shop);
    return { as: "owner", params: { id: till.id }, data: { bRetired: true } };
  },
  "put /auth/pin": async ({ db, shop }) => ({
    token: await tokenOf(db, await makeWorker(db, shop)),
    body: { sPassword: PASSWORD, sPin: "580314" },
  }),
  "post /tills/sync": async (world) => {
    const at = await makeTill(world.db, world.shop);
    return {
      as: "worker",
      till: at.key,
      body: { entries: [await keptEntry(world, at)] },
      data: { results: [{ n: 1, eOutcome: "posted", movement: { till: { _id: at.till.id } } }] },
    };
  },
  "get /offline-entries": async (world) => {
    const entry = await inboxEntry(world);
    return { as: "owner", data: { results: first({ _id: entry.id, sCode: "not_found", sWhy: text }) } };
  },
  "post /offline-entries/{id}/resolve": async (world) => {
    const { id } = await inboxEntry(world);
    const { id: customerId } = await world.customer(0);
    return {
      as: "owner",
      params: { id },
      body: { eAction: "move", customerId, sReason: "The card was found." },
      data: { _id: id, eAction: "move", dResolvedAt: text },
    };
  },
};

const SHIFTS: Examples = {
  "get /shifts": async (world) => {
    const { till, shift } = await tillWithShift(world);
    return {
      as: "owner",
      query: { till: till.id },
      data: { results: [{ _id: shift.id, iNumber: 1, iFloat: 20_000, dClosedAt: null }] },
    };
  },
  "post /shifts": async (world) => {
    const { till } = await makeTill(world.db, world.shop);
    return {
      as: "owner",
      body: { iTillId: till.id, iFloat: 20_000 },
      data: { _id: text, iNumber: 1, dOpenedAt: text },
    };
  },
  "get /shifts/{id}": async (world) => {
    const { shift } = await tillWithShift(world);
    await closeShift(owner(world), { id: shift.id, counted: { cash: 19_000 } });
    return {
      as: "owner",
      params: { id: shift.id },
      data: {
        iDifference: -1_000,
        aTenders: [{ eTender: "cash", iExpected: 20_000 }],
        oTopups: { nCount: 0 },
      },
    };
  },
  "post /shifts/{id}/drawer": async (world) => ({
    as: "owner",
    params: { id: (await tillWithShift(world)).shift.id },
    body: { eType: "pay_in", iAmount: 5_000, sReason: "Change" },
    data: { _id: text },
  }),
  "post /shifts/{id}/close": async (world) => ({
    as: "owner",
    params: { id: (await tillWithShift(world)).shift.id },
    body: { oCounted: { cash: 20_000, card: 0 }, sNote: "Counted twice", iWaiting: 0 },
    data: { iNumber: number, iDifference: 0, sNote: "Counted twice" },
  }),
};

export const TILL_EXAMPLES: Examples = { ...TILLS, ...SHIFTS };

/** Calls of tills that nobody has signed in on. */
export const PUBLIC_TILL_EXAMPLES: Examples = {
  "post /tills/pair": async (world) => {
    const ctx = owner(world);
    const made = await createTill(ctx, { branchId: world.shop.branch.id, name: name() });
    const { jwk } = await newTillKey();
    return {
      body: { sPairingCode: made.pairingCode, jPublicKey: jwk },
      data: { _id: made.id, bPaired: true },
    };
  },
  "get /tills/me": async (world) => {
    const { till, key } = await makeTill(world.db, world.shop);
    return {
      till: key,
      data: {
        _id: till.id,
        shift: null,
        workers: first({ sFirstName: text }),
        sSignupUrl: text,
        note: { sPath: text },
      },
    };
  },
  "post /auth/pin": async (world) => {
    const { key } = await makeTill(world.db, world.shop);
    const worker = await makeWorker(world.db, world.shop);
    await setPin(contextOf(world.db, worker), { password: PASSWORD, pin: "580314" });
    return {
      till: key,
      body: { iWorkerId: worker.id, sPin: "580314" },
      data: { token: text, user: { _id: worker.id } },
    };
  },
};
