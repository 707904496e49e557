import { describe, expect, test } from "vitest";
import { topUp } from "@/lib/ledger/move-points";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeCustomer, makeMerchant, makeWorker } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { contextAt, makeTill, newTillKey, proofOf } from "@/lib/testing/tills";

const DELETE = handlerOf("DELETE", "tills/{id}");
const me = handlerOf("GET", "tills/me");
const post = handlerOf("POST", "top-up-points");

const db = await testDb();

describe("a till's proof", () => {
  const setup = async () => {
    const shop = await makeMerchant(db);
    return { shop, ...(await makeTill(db, shop)) };
  };
  const refused = { status: 401, code: "invalid_dpop_proof" };

  test("is good once", async () => {
    const { key } = await setup();
    const headers = await proofOf(key);
    const answers = await Promise.all([1, 2, 3].map(() => call(me, { headers })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  });

  test("is for one method, path and body, by one key", async () => {
    const { key } = await setup();
    const stranger = await newTillKey();
    expect(await call(me)).toMatchObject(refused);
    expect(await call(me, { headers: await proofOf(key, { method: "POST" }) })).toMatchObject(refused);
    expect(await call(me, { headers: await proofOf(key, { path: "/api/tills" }) })).toMatchObject(refused);
    const elsewhere = { htu: "https://elsewhere.test/api/test" };
    expect(await call(me, { headers: await proofOf(key, { claims: elsewhere }) })).toMatchObject(refused);
    expect(await call(me, { headers: await proofOf(stranger) })).toMatchObject(refused);
    expect(await call(me, { headers: await proofOf({ ...stranger, jwk: key.jwk }) })).toMatchObject(refused);
    expect(await call(me, { headers: await proofOf(key, { header: { typ: "JWT" } }) })).toMatchObject(
      refused,
    );
    expect(await call(me, { headers: await proofOf(key, { token: "somebody's" }) })).toMatchObject(refused);
    expect(await call(me, { headers: { DPoP: "nonsense" } })).toMatchObject(refused);
    const queried = { htu: "http://localhost:3000/api/test?page=2" };
    expect(
      await call(me, { headers: await proofOf(key, { claims: queried }), query: "?page=1" }),
    ).toMatchObject({
      status: 200,
    });
  });

  test("of another body is refused before the body is parsed", async () => {
    const { shop, key } = await setup();
    const token = await tokenOf(db, shop.owner);
    const body = { customerId: "nobody" };
    const at = { method: "POST", token };
    const other = await proofOf(key, { ...at, body: { customerId: "somebody" } });
    expect(await call(post, { ...at, body, headers: other })).toMatchObject(refused);
    const none = await proofOf(key, at);
    expect(await call(post, { ...at, body, headers: none })).toMatchObject(refused);
    const right = await proofOf(key, { ...at, body });
    expect(await call(post, { ...at, body, headers: right })).toMatchObject({
      status: 400,
      code: "validation",
    });
  });

  test("with a private key is a bad request", async () => {
    const { key } = await setup();
    const headers = await proofOf(key, { header: { jwk: { ...key.jwk, d: key.jwk.x } } });
    expect(await call(me, { headers })).toMatchObject({ status: 400, code: "malformed" });
  });

  test("by a wrong clock is answered with a nonce, which stands in for the time", async () => {
    const { key } = await setup();
    const iat = Math.floor(Date.now() / 1000) - 61;
    const late = await me(
      new Request("http://localhost:3000/api/test", { headers: await proofOf(key, { claims: { iat } }) }),
      {
        params: {},
      },
    );
    expect(late.status).toBe(401);
    expect(await late.json()).toMatchObject({ code: "use_dpop_nonce" });
    const nonce = late.headers.get("dpop-nonce");
    expect(nonce).toBeTruthy();
    const headers = await proofOf(key, { claims: { iat, nonce } });
    expect(await call(me, { headers })).toMatchObject({ status: 200 });
    expect(await call(me, { headers })).toMatchObject(refused);
    const forged = await proofOf(key, { claims: { iat, nonce: `${nonce}x` } });
    expect(await call(me, { headers: forged })).toMatchObject({ status: 401, code: "use_dpop_nonce" });
    const near = await proofOf(key, { claims: { iat: Math.floor(Date.now() / 1000) - 50 } });
    expect(await call(me, { headers: near })).toMatchObject({ status: 200 });
  });

  test("of a retired till is refused, and its sessions end", async () => {
    const { shop, till, key } = await setup();
    const worker = await makeWorker(db, shop);
    await db.session.create({
      data: { userId: worker.id, tillId: till.id, expiresAt: new Date(Date.now() + 3_600_000) },
    });
    const token = await tokenOf(db, shop.owner);
    const gone = await call(DELETE, { method: "DELETE", token, params: { id: till.id } });
    expect(gone).toMatchObject({ status: 200, data: { bRetired: true } });
    expect(await call(me, { headers: await proofOf(key) })).toMatchObject(refused);
    expect(await db.session.count({ where: { tillId: till.id, revokedAt: null } })).toBe(0);
  });
});

describe("a movement", () => {
  test("names the till whose proof its request carries", async () => {
    const shop = await makeMerchant(db);
    const { till, key } = await makeTill(db, shop);
    const customer = await makeCustomer(db, shop);
    const token = await tokenOf(db, await makeWorker(db, shop));
    const body = { customerId: customer.id, sPoints: 5, iBranchId: shop.branch.id };
    const at = { method: "POST", token, body };
    const made = await call(post, { ...at, headers: await proofOf(key, at) });
    expect(made).toMatchObject({ status: 200, data: { till: { _id: till.id, sName: till.name } } });
    const [row] = await db.movement.findMany({ where: { customerId: customer.id } });
    expect(row).toMatchObject({ tillId: till.id, tillPeriod: 0 });
    expect(await call(post, at)).toMatchObject({ status: 200, data: { till: null } });
  });

  test("by a worker needs a till where the merchant says so; an owner's does not", async () => {
    const shop = await makeMerchant(db, { tillRequired: true });
    const at = await makeTill(db, shop);
    const worker = await makeWorker(db, shop);
    const customer = await makeCustomer(db, shop);
    const input = { customerId: customer.id, points: 5, branchId: shop.branch.id };
    await expect(topUp(contextOf(db, worker), input)).rejects.toMatchObject({ code: "till_required" });
    const many = await Promise.allSettled(
      Array.from({ length: 8 }, (_, n) =>
        topUp(n % 2 ? contextOf(db, worker) : contextAt(db, worker, at), input),
      ),
    );
    expect(many.filter(({ status }) => status === "fulfilled")).toHaveLength(4);
    expect((await topUp(contextOf(db, shop.owner), input)).movement.till).toBeNull();
  });

  test("is refused at a retired till and at another merchant's", async () => {
    const shop = await makeMerchant(db);
    const other = await makeMerchant(db);
    const customer = await makeCustomer(db, shop);
    const input = { customerId: customer.id, points: 5, branchId: shop.branch.id };
    const at = await makeTill(db, shop);
    await db.till.update({ where: { id: at.till.id }, data: { retiredAt: new Date() } });
    await expect(topUp(contextAt(db, shop.owner, at), input)).rejects.toMatchObject({ code: "till_retired" });
    const elsewhere = contextAt(db, shop.owner, await makeTill(db, other));
    await expect(topUp(elsewhere, input)).rejects.toMatchObject({ code: "branch_mismatch" });
    expect(await db.movement.count({ where: { customerId: customer.id } })).toBe(0);
  });
});
