import { expect, test } from "vitest";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { makeAdmin, makeMerchant } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";

const history = handlerOf("GET", "points-config/history");
const GET = handlerOf("GET", "points-config");
const PUT = handlerOf("PUT", "points-config");

const db = await testDb();
const BODY = {
  iDirhamsPerPoint: 100,
  iMinTopup: 5,
  iMaxTopup: "٤٠٠",
  iMaxBalance: 20000,
  iUndoMinutes: 15,
};

test("an administrator overrides a merchant's rules, and its owner can read them", async () => {
  const shop = await makeMerchant(db);
  const admin = await tokenOf(db, await makeAdmin(db, { role: "admin" }));
  const owner = await tokenOf(db, shop.owner);
  const iMerchantId = shop.merchant.id;
  const put = (body: unknown, token = admin) => call(PUT, { token, method: "PUT", body });
  expect(await put({ ...BODY, iMerchantId })).toMatchObject({
    status: 200,
    data: { iMaxTopup: 400, iWorkerDailyCap: null, bOverride: true, merchant: { _id: iMerchantId } },
  });
  expect(await call(GET, { token: owner })).toMatchObject({ status: 200, data: { iMinTopup: 5 } });
  expect(await call(history, { token: admin, query: `?iMerchantId=${iMerchantId}` })).toMatchObject({
    status: 200,
    data: { results: [{ before: null, after: { iMaxTopup: 400 } }], nextCursor: null },
  });
  expect((await put({ ...BODY, iMerchantId })).code).toBe("no_change");
  expect((await put({ ...BODY, iMerchantId }, owner)).status).toBe(403);
  expect((await put({ ...BODY, iMerchantId: "nobody" })).status).toBe(404);
  const refused = await put({ ...BODY, iMaxTopup: 4, iMerchantId });
  expect(refused).toMatchObject({ status: 400, errors: [{ path: "iMaxTopup" }] });
  expect((await put({})).status).toBe(400);
});
