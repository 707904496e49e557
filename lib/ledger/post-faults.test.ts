import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterEach, expect, test } from "vitest";
import { createDb, type Db } from "@/lib/db/client";
import type { DomainError } from "@/lib/domain/errors";
import { ownerUrl, testDb } from "@/lib/testing/database";
import { makeCustomer, makeMerchant } from "@/lib/testing/factories";
import { type Posting, type PostingRow, postBatch } from "./batch";
import { PATIENCE, post } from "./post";
import { endPostingPools, postingPools } from "./posting-pool";

const db = await testDb();
const url = process.env.DATABASE_URL ?? "";

const others: { end(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of others.splice(0)) await one.end();
});

async function counter() {
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop);
  const row = (more: Partial<PostingRow> = {}): Posting => ({
    type: "TOP_UP",
    customer: customer.id,
    branch: shop.branch.id,
    actor: shop.owner.id,
    scope: "any",
    points: 5,
    key: randomUUID(),
    hash: "h",
    ...more,
  });
  return { shop, customer, row };
}

/** A connection of somebody else, in an open transaction. */
async function stranger(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  others.push(client);
  await client.query("BEGIN");
  return client;
}

async function hold(customerId: string): Promise<pg.Client> {
  const client = await stranger();
  await client.query("SELECT 1 FROM customers WHERE id = $1 FOR UPDATE", [customerId]);
  return client;
}

/** A program of its own on the same database, with its own lanes. */
function program(): Db {
  const own = createDb(url, 2);
  others.push({ end: () => endPostingPools(own).then(() => own.$disconnect()) });
  return own;
}

const announced = async (id: string) => (await db.postingOutbox.count({ where: { movementId: id } })) === 1;
const idOf = (outcome: Awaited<ReturnType<typeof post>> | undefined) =>
  outcome && "movement" in outcome ? outcome.movement.id : "";

test("each posted movement stands in the outbox, by the same transaction; an import does not", async () => {
  const { row } = await counter();
  const [posted, second] = await postBatch(db, [row(), row()]);
  const [imported] = await postBatch(db, [row({ type: "IMPORT" })], { quiet: true });
  expect(await announced(idOf(posted))).toBe(true);
  expect(await announced(idOf(second))).toBe(true);
  expect(idOf(imported)).not.toBe("");
  expect(await announced(idOf(imported))).toBe(false);
});

test("a locked card waits in the slow lane: others go on at their usual pace, it is answered unavailable", async () => {
  const { row, shop, customer } = await counter();
  const free = await Promise.all(Array.from({ length: 30 }, () => makeCustomer(db, shop)));
  await post(db, row({ customer: free[0]?.id }));
  const holder = await hold(customer.id);
  const started = Date.now();
  // Fourteen who want the locked card, as fourteen clients would.
  const held = Promise.allSettled(Array.from({ length: 14 }, () => post(db, row())));
  let slowest = 0;
  for (let round = 0; round < 5; round++) {
    const at = Date.now();
    const outcomes = await Promise.all(free.map(({ id }) => post(db, row({ customer: id }))));
    slowest = Math.max(slowest, Date.now() - at);
    expect(outcomes.every(({ outcome }) => outcome === "posted")).toBe(true);
  }
  // Far below the seconds that waiting for the lock would cost, on a busy machine too.
  expect(slowest).toBeLessThan(3_000);
  expect(postingPools(db).slow.totalCount).toBeLessThanOrEqual(2);
  const settled = await held;
  expect(Date.now() - started).toBeGreaterThanOrEqual(PATIENCE);
  expect(Date.now() - started).toBeLessThan(PATIENCE + 5_000);
  for (const one of settled) expect(one).toMatchObject({ reason: { code: "unavailable" } });
  await holder.query("COMMIT");
  expect(await post(db, row())).toMatchObject({ outcome: "posted", movement: { balanceAfter: 5 } });
});

test("a card that is let go in time is served from the slow lane, in one order", async () => {
  const { row, customer } = await counter();
  const holder = await hold(customer.id);
  const waiting = Promise.all([post(db, row()), post(db, row()), post(db, row())]);
  await expect.poll(() => postingPools(db).slow.totalCount).toBeGreaterThan(0);
  await holder.query("COMMIT");
  expect((await waiting).map(({ outcome }) => outcome)).toEqual(["posted", "posted", "posted"]);
});

test("a row that the database cannot read fails alone", async () => {
  const { row } = await counter();
  const rows = [row(), row(), row({ reason: "\0" }), row(), row({ customer: "no id" })];
  const settled = await Promise.allSettled(rows.map((one) => post(db, one)));
  expect(settled.map((one) => one.status)).toEqual([
    "fulfilled",
    "fulfilled",
    "rejected",
    "fulfilled",
    "rejected",
  ]);
});

test("settings of the role and the database change nothing: isolation and time limits are posting's own", async () => {
  const { row, shop, customer } = await counter();
  const cards = await Promise.all(Array.from({ length: 5 }, () => makeCustomer(db, shop)));
  const name = new URL(url).pathname.slice(1);
  const set = (what: string) => db.$executeRawUnsafe(`ALTER DATABASE "${name}" ${what}`);
  await set("SET default_transaction_isolation = 'serializable'");
  // Long enough for the statement that sets posting's own limit, too short for a batch.
  await set("SET statement_timeout = '5ms'");
  await set("SET default_transaction_read_only = on");
  try {
    const [one, two] = [program(), program()];
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        post(n % 2 ? one : two, row({ customer: n % 3 ? customer.id : cards[n % 5]?.id })),
      ),
    );
    expect(outcomes.every(({ outcome }) => outcome === "posted")).toBe(true);
  } finally {
    // Its own sessions would have the database's new settings too.
    const options = "-c default_transaction_read_only=off -c statement_timeout=0";
    const admin = new pg.Client({ connectionString: ownerUrl(), options });
    await admin.connect();
    for (const setting of [
      "default_transaction_isolation",
      "statement_timeout",
      "default_transaction_read_only",
    ]) {
      await admin.query(`ALTER DATABASE "${name}" RESET ${setting}`);
    }
    await admin.end();
  }
});

test("a connection that breaks is tried again by the same key: posted once, answered as posted", async () => {
  const { row, customer } = await counter();
  const own = program();
  await post(own, row());
  const blocked = await stranger();
  // Posting waits for this lock with its statement sent.
  await blocked.query("SELECT pg_advisory_xact_lock(posting_lock())");
  const waiting = post(own, row());
  const backends = () => db.$queryRaw<{ pid: number }[]>`
    SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event = 'advisory' AND query LIKE '%post_movements%'`;
  await expect.poll(async () => (await backends()).length).toBeGreaterThan(0);
  for (const { pid } of await backends()) await db.$queryRaw`SELECT pg_terminate_backend(${pid}::int)::text`;
  await blocked.query("COMMIT");
  expect(await waiting).toMatchObject({ outcome: "posted" });
  expect(await db.movement.count({ where: { customerId: customer.id } })).toBe(2);
});

test("a row that may be posted and then waits for its card in vain is not answered as if nothing had happened", async () => {
  const { row, customer } = await counter();
  const own = program();
  await post(own, row());
  const holder = await hold(customer.id);
  const { fast } = postingPools(own);
  const connect = fast.connect.bind(fast);
  let isBroken = false;
  // The first statement leaves, and its answer never comes; the second try finds the card held.
  const breakOnce = async () => {
    if (isBroken) return connect();
    isBroken = true;
    const query = async () => {
      throw new Error("Connection terminated unexpectedly");
    };
    return { query, on: () => {}, off: () => {}, release: () => {} };
  };
  Object.assign(fast, { connect: breakOnce });
  const refused = (more: object) => post(own, row(), more).catch((error: DomainError) => error);
  expect(await refused({})).toMatchObject({ code: "outcome_unknown" });
  isBroken = false;
  expect(await refused({ keyed: true })).toMatchObject({ code: "unavailable" });
  Object.assign(fast, { connect });
  await holder.query("COMMIT");
});

test("with the database away: unavailable by a client's key, outcome unknown without one", async () => {
  const { row } = await counter();
  const own = program();
  await post(own, row());
  const { fast } = postingPools(own);
  const away = Object.assign(new Error("Connection terminated unexpectedly"), {});
  const query = async () => {
    throw away;
  };
  const connect = fast.connect.bind(fast);
  // The statement leaves, the answer never comes.
  Object.assign(fast, { connect: async () => ({ query, on: () => {}, off: () => {}, release: () => {} }) });
  const refused = (more: object) => post(own, row(), more).catch((error: DomainError) => error);
  expect(await refused({ keyed: true })).toMatchObject({ code: "unavailable", params: { seconds: 2 } });
  expect(await refused({})).toMatchObject({ code: "outcome_unknown", params: {} });
  // Nothing leaves at all.
  Object.assign(fast, {
    connect: async () => {
      throw Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
    },
  });
  expect(await refused({})).toMatchObject({ code: "unavailable", params: { seconds: 2 } });
  Object.assign(fast, { connect });
});
