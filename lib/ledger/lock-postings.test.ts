import pg from "pg";
import { afterEach, expect, test } from "vitest";
import { removeBranch } from "@/lib/branches/branches";
import { lockPostings, withinPostingLimits } from "@/lib/ledger/lock-postings";
import { topUp } from "@/lib/ledger/move-points";
import { tokenOf } from "@/lib/testing/calls";
import { ownerUrl, testDb } from "@/lib/testing/database";
import { contextOf, makeAdmin, makeBranch, makeCustomer, makeMerchant } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";

const PUT = handlerOf("PUT", "points-config");

const db = await testDb();
const token = await tokenOf(db, await makeAdmin(db, { role: "admin" }));

const others: pg.Client[] = [];
afterEach(async () => {
  for (const one of others.splice(0)) await one.end();
});

/** A connection of somebody else, in an open transaction. */
async function stranger(statement: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: ownerUrl() });
  await client.connect();
  others.push(client);
  await client.query("begin");
  await client.query(statement);
  return client;
}

async function counter() {
  const shop = await makeMerchant(db);
  const { id: customerId } = await makeCustomer(db, shop);
  const owner = contextOf(db, shop.owner);
  const merchantId = shop.merchant.id;
  /** Milliseconds that one top-up takes. */
  const post = async () => {
    const started = Date.now();
    await topUp(owner, { customerId, branchId: shop.branch.id, points: 1 });
    return Date.now() - started;
  };
  // A lower daily cap of the workers takes effect at once.
  const change = (dailyCap: number) =>
    PUT(
      new Request("http://localhost/api/points-config", {
        method: "PUT",
        headers: { authorization: token, "content-type": "application/json" },
        body: JSON.stringify({
          iMerchantId: merchantId,
          iDirhamsPerPoint: 100,
          iMinTopup: 1,
          iMaxTopup: 5000,
          iMaxBalance: 20_000,
          iUndoMinutes: 15,
          iWorkerDailyCap: dailyCap,
        }),
      }),
      { params: {} },
    );
  const versions = () => db.pointsConfig.count({ where: { merchantId } });
  // The first posting opens the connections.
  await post();
  return { post, change, versions };
}

// A few seconds, and as much again for a busy machine.
const LONGEST_WAIT = 8_000;

test("while a posting is held the change gives up with 503 and Retry-After, and other postings wait for seconds only", async () => {
  const { post, change, versions } = await counter();
  const held = await stranger("select pg_advisory_xact_lock_shared(posting_lock())");
  const started = Date.now();
  const changed = change(300);
  const waits: number[] = [];
  let done = false;
  const posting = (async () => {
    while (!done) waits.push(await post());
  })();
  const answer = await changed;
  expect(Date.now() - started).toBeLessThan(LONGEST_WAIT);
  done = true;
  await posting;
  expect(answer.status).toBe(503);
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await answer.json()).toMatchObject({ code: "unavailable" });
  expect(await versions()).toBe(0);
  expect(Math.max(...waits)).toBeLessThan(LONGEST_WAIT);
  await held.query("commit");
  expect((await change(300)).status).toBe(200);
  expect(await versions()).toBe(1);
});

test("a change that is held up after it has stopped the postings gives up, too", async () => {
  const { post, change, versions } = await counter();
  const held = await stranger("lock table points_configs in share mode");
  const [answer, wait] = await Promise.all([change(400), post()]);
  expect(answer.status).toBe(503);
  expect(answer.headers.get("retry-after")).not.toBeNull();
  expect(wait).toBeLessThan(LONGEST_WAIT);
  await held.query("commit");
  expect(await versions()).toBe(0);
});

test("many short statements together are limited as well", async () => {
  const { post } = await counter();
  let stopped = () => {};
  const isStopped = new Promise<void>((go) => {
    stopped = go;
  });
  const slow = withinPostingLimits(db, async (tx) => {
    await lockPostings(tx);
    stopped();
    for (let n = 0; n < 30; n++) await tx.$queryRaw`select pg_sleep(1)::text`;
  });
  const refused = expect(slow).rejects.toMatchObject({ code: "unavailable" });
  await isStopped;
  expect(await post()).toBeLessThan(LONGEST_WAIT);
  await refused;
});

test("changes among concurrent postings all go through, and no posting waits long", async () => {
  const { post, change, versions } = await counter();
  const waits: number[] = [];
  let done = false;
  const posting = Array.from({ length: 6 }, async () => {
    while (!done) waits.push(await post());
  });
  for (let n = 0; n < 8; n++) expect((await change(500 - n)).status).toBe(200);
  done = true;
  await Promise.all(posting);
  expect(await versions()).toBe(8);
  expect(Math.max(...waits)).toBeLessThan(LONGEST_WAIT);
});

test("the removal of an unused branch, which stops its merchant's postings, has the same limits", async () => {
  const { post } = await counter();
  const shop = await makeMerchant(db);
  const branch = await makeBranch(db, shop);
  const held = await stranger(`select pg_advisory_xact_lock_shared(merchant_lock('${shop.merchant.id}'))`);
  const removed = removeBranch(contextOf(db, shop.owner), { id: branch.id });
  const refused = expect(removed).rejects.toMatchObject({ code: "unavailable" });
  expect(await post()).toBeLessThan(LONGEST_WAIT);
  await refused;
  await held.query("commit");
  expect(await removeBranch(contextOf(db, shop.owner), { id: branch.id })).toEqual({ archived: false });
});
