import { randomUUID } from "node:crypto";
import { calculateJwkThumbprint } from "jose";
import { expect, test } from "vitest";
import { call } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { makeCustomer, makeMerchant, makeWorker } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { contextAt, makeTill, newTillKey, proofOf, signEntry } from "@/lib/testing/tills";
import { syncTill } from "./sync-till";

const me = handlerOf("GET", "tills/me");

const db = await testDb();

test("a till shows its shop's face: the logo, the note and its colour", async () => {
  const shop = await makeMerchant(db, { colour: "#8a1538", logoKey: "images/logo.png" });
  const till = await makeTill(db, shop);
  const { data } = await call(me, { headers: await proofOf(till.key) });
  expect(data).toMatchObject({
    sLogo: expect.stringMatching(/^http.*\.png$/),
    note: {
      sColour: "#8a1538",
      sPath: expect.stringContaining(`/card/note/${shop.merchant.publicId}?plain=1`),
    },
  });
});

test("a till learns what it may keep without a connection, and the number after the last that the server has", async () => {
  const shop = await makeMerchant(db, { offlineMaxTopUp: 150, offlineMaxTotal: 900 });
  const [worker, customer, till] = [
    await makeWorker(db, shop),
    await makeCustomer(db, shop),
    await makeTill(db, shop),
  ];
  const own = async (key = till.key) => (await call(me, { headers: await proofOf(key) })).data;
  expect(await own()).toMatchObject({ iOfflineMaxTopup: 150, iOfflineMaxTotal: 900, iNextEntry: 1 });
  const claimed = {
    n: 7,
    sKey: randomUUID(),
    iWorkerId: worker.id,
    customerId: customer.id,
    iBranchId: shop.branch.id,
    sPoints: 10,
    eTender: "cash" as const,
    dOccurredAt: new Date().toISOString(),
  };
  const entry = { ...claimed, sSig: await signEntry(till.key, claimed) };
  await syncTill(contextAt(db, worker, till), { entries: [entry] });
  expect(await own()).toMatchObject({ iNextEntry: 8 });
  // A browser that is paired anew starts with an empty store.
  const anew = await newTillKey();
  const data = { publicKey: { ...anew.jwk }, thumbprint: await calculateJwkThumbprint(anew.jwk) };
  await db.till.update({ where: { id: till.till.id }, data });
  expect(await own(anew)).toMatchObject({ iNextEntry: 8 });
});
