import { expect, test } from "vitest";
import { translator } from "@/lib/i18n/translate";
import { postBatch } from "@/lib/ledger/batch";
import { movementTotals } from "@/lib/ledger/movement-totals";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeAdmin, makeCustomer, makeMerchant, makeWorker } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { move } from "@/lib/testing/movements";

const recentTopUps = handlerOf("GET", "recent-top-ups");
const exportCsv = handlerOf("GET", "transactions/export");
const GET = handlerOf("GET", "transactions");

const db = await testDb();

const download = async (token: string, query = "") => {
  const request = new Request(`http://localhost/api/transactions/export${query}`, {
    headers: { authorization: token },
  });
  return exportCsv(request, { params: {} });
};

test("transactions answer the movements in the caller's scope, with links to their reversals", async () => {
  const [shop, other] = [await makeMerchant(db), await makeMerchant(db)];
  const worker = await makeWorker(db, shop);
  const customer = await makeCustomer(db, shop);
  const first = await move(db, shop, customer, { points: 100, actor: worker });
  const undo = await move(db, shop, customer, { reverses: first.id });
  await move(db, other, await makeCustomer(db, other), { points: 7 });
  const owner = await tokenOf(db, shop.owner);
  expect(await call(GET, { token: owner })).toMatchObject({
    status: 200,
    data: {
      results: [
        { _id: undo.id, eType: "REVERSAL", sPoints: -100, reverses: { _id: first.id } },
        { _id: first.id, eType: "TOP_UP", sBalance: 100, reversedBy: { _id: undo.id } },
      ],
      nextCursor: null,
    },
  });
  const own = await call(GET, { token: await tokenOf(db, worker) });
  expect(own).toMatchObject({ data: { results: [{ _id: first.id }] } });
  const one = await call(GET, { token: owner, query: "?limit=1&type=TOP_UP" });
  expect(one).toMatchObject({ data: { results: [{ _id: first.id }], nextCursor: null } });
  const foreign = await call(GET, { token: owner, query: `?merchant=${other.merchant.id}` });
  expect(foreign).toMatchObject({ data: { results: [] } });
  const admin = await tokenOf(db, await makeAdmin(db, { role: "admin" }));
  expect((await call(GET, { token: admin })).status).toBe(403);
  expect((await download(admin)).status).toBe(403);
  for (const query of [
    "?type=GIFT",
    "?from=2026-02-30",
    "?from=0000-01-01",
    "?to=9999-12-31",
    "?limit=1000",
  ]) {
    expect((await call(GET, { token: owner, query })).status).toBe(400);
  }
});

test("points given up by a card holder have that kind of actor and no branch, in the API and the export", async () => {
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop);
  await move(db, shop, customer, { points: 30 });
  await postBatch(db, [
    {
      actorType: "card_holder",
      type: "ADJUSTMENT",
      customer: customer.id,
      scope: "any",
      points: -30,
      key: "gone",
      hash: "gone",
    },
  ]);
  const token = await tokenOf(db, shop.owner);
  const { data } = await call(GET, { token });
  expect(data).toMatchObject({
    results: [
      { sPoints: -30, branch: null, actor: { eType: "cardHolder", sName: "The card holder" } },
      {
        sPoints: 30,
        branch: { _id: shop.branch.id },
        actor: { eType: "user", _id: shop.owner.id, sName: "Noor Haddad" },
      },
    ],
  });
  expect((data as { results: { actor: object }[] }).results[0]?.actor).not.toHaveProperty("_id");
  const arabic = await call(GET, { token, headers: { "accept-language": "ar" } });
  expect(arabic.data).toMatchObject({ results: [{ actor: { sName: "حامل البطاقة" } }, {}] });
  const [header = "", givenUp = ""] = (await (await download(token)).text()).split("\r\n");
  const row = givenUp.split(",");
  const columns = header.split(",");
  const t = translator("en");
  expect(row[columns.indexOf(t("transactionsCsv.branch"))]).toBe("");
  expect(row[columns.indexOf(t("transactionsCsv.by"))]).toBe("The card holder");
});

test("the export has every filtered row once, with Arabic names and escaped formulas", async () => {
  const shop = await makeMerchant(db);
  const layla = await makeCustomer(db, shop, { fullName: "ليلى الكواري" });
  const attacker = await makeCustomer(db, shop, { fullName: '=cmd|"/c calc"!A1, really' });
  for (let n = 0; n < 3; n++) await move(db, shop, layla, { points: 10 + n });
  await move(db, shop, layla, { type: "REDEEM", points: 5 });
  await move(db, shop, attacker, { points: 50 });
  const token = await tokenOf(db, shop.owner);
  const response = await download(token);
  expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(response.headers.get("content-disposition")).toMatch(/^attachment/);
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect([...bytes.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const lines = new TextDecoder().decode(bytes).trimEnd().split("\r\n");
  expect(lines).toHaveLength(6);
  expect(lines[1]).toContain('"\'=cmd|""/c calc""!A1, really"');
  expect(lines[2]).toContain("ليلى الكواري");
  expect(lines[2]).toContain(",-5,-5,28,");
  const redeems = await (await download(token, "?type=REDEEM")).text();
  expect(redeems.trimEnd().split("\r\n")).toHaveLength(2);
});

test("movements on cards that staff hold are a filter for owner and super_admin, in list, totals and export", async () => {
  const shop = await makeMerchant(db);
  const worker = await makeWorker(db, shop);
  const staffed = await makeCustomer(db, shop, { phone: worker.phone });
  await move(db, shop, await makeCustomer(db, shop), { points: 5 });
  const posted = await move(db, shop, staffed, { points: 40 });
  const owner = await tokenOf(db, shop.owner);
  const query = "?staffCards=true";
  expect(await call(GET, { token: owner, query })).toMatchObject({
    data: { results: [{ _id: posted.id }], nextCursor: null },
  });
  const admin = await tokenOf(db, await makeAdmin(db));
  const ofShop = `${query}&merchant=${shop.merchant.id}`;
  expect(await call(GET, { token: admin, query: ofShop })).toMatchObject({
    data: { results: [{ _id: posted.id }] },
  });
  expect(await call(GET, { token: owner, query: "?staffCards=false" })).toMatchObject({
    data: { results: [{ _id: posted.id }, {}] },
  });
  expect((await (await download(owner, query)).text()).trim().split("\n")).toHaveLength(2);
  expect(await movementTotals(contextOf(db, shop.owner), { staffCards: "true" })).toMatchObject({
    count: 1,
    net: 40,
  });
  const none = await makeMerchant(db);
  expect(await call(GET, { token: await tokenOf(db, none.owner), query })).toMatchObject({
    data: { results: [] },
  });
  expect(await call(GET, { token: await tokenOf(db, worker), query })).toMatchObject({ status: 403 });
  expect(await call(GET, { token: owner, query: "?staffCards=maybe" })).toMatchObject({ status: 400 });
});

test("a deleted customer has a name that says so, in lists, the counter's short list and the export", async () => {
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop);
  await move(db, shop, customer, { points: 30 });
  const gone = { email: null, phone: null, dateOfBirth: null, erasedAt: new Date(), fullName: "–" } as const;
  await db.customer.update({ where: { id: customer.id }, data: { ...gone, status: "erased" } });
  const token = await tokenOf(db, shop.owner);
  const named = (sFullName: string) => ({ data: { results: [{ customer: { sFullName } }] } });
  for (const list of [GET, recentTopUps]) {
    expect(await call(list, { token })).toMatchObject(named("Deleted customer"));
    expect(await call(list, { token, headers: { "accept-language": "ar" } })).toMatchObject(
      named("عميل محذوف"),
    );
  }
  expect(await (await download(token)).text()).toContain(",Deleted customer,");
});
