import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openSession, resolveSession, type SessionRow } from "@/lib/accounts/session";
import { listenForSessions } from "@/lib/accounts/session-listener";
import { SessionMemory } from "@/lib/accounts/session-memory";
import { listActivity } from "@/lib/activity/read-activity";
import { verifyAudits } from "@/lib/audit/check-audits";
import { searchPanel } from "@/lib/counter/find";
import { exportCustomers, listCustomers } from "@/lib/customers/list-customers";
import { createDb, type Db, getDb } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { endReplica, primaryOf, readLagging, readLaggingAsProgram } from "@/lib/db/replica";
import { movementTotals } from "@/lib/ledger/movement-totals";
import { post } from "@/lib/ledger/post";
import { endPostingPools } from "@/lib/ledger/posting-pool";
import { exportMovements, listMovements } from "@/lib/ledger/read-movements";
import { verifyAndKeep } from "@/lib/ledger/run-check";
import { listMerchants } from "@/lib/merchants/read-merchants";
import { metrics } from "@/lib/observe/metrics";
import { customerTotals, dashboard } from "@/lib/reports/dashboard";
import { exportJournal } from "@/lib/reports/journal";
import { liability, liabilityDays, liabilityReport } from "@/lib/reports/liability";
import { ownerHome } from "@/lib/reports/owner-home";
import { call, tokenOf } from "@/lib/testing/calls";
import { contextOf, makeAdmin, makeCustomer, makeMerchant } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { exportWorkers, listWorkers } from "@/lib/workers/workers";
import { migrate } from "@/scripts/lib/migrate";
import { temporaryDataDir } from "@/scripts/postgres/temporary";
import { Cluster } from "./cluster";

const patience = { timeout: 60_000, interval: 50 };
const folder = temporaryDataDir("replica-test", { inMemory: true });
let cluster: Cluster;
/** The program's client, whose reads may go to the standby, and the owners of both servers. */
let db: Db;
let owner: Db;
let standby: Db;
let shop: Awaited<ReturnType<typeof makeMerchant>>;
let customer: Awaited<ReturnType<typeof makeCustomer>>;
let asOwner: Context;

beforeAll(async () => {
  cluster = await Cluster.start(folder, (primary) =>
    migrate(primary.ownerUrl(), { application: primary.url() }),
  );
  // What is tried stops the replay, and no posting may wait for that.
  await cluster.waitForStandby("");
  vi.stubEnv("DATABASE_URL", cluster.primary.url());
  vi.stubEnv("DATABASE_READ_URL", cluster.standby.url());
  db = createDb(cluster.primary.url(), 4, { statements: "named" });
  owner = createDb(cluster.primary.ownerUrl(), 2);
  standby = createDb(cluster.standby.ownerUrl(), 2, { server: "replica" });
  shop = await makeMerchant(owner);
  customer = await makeCustomer(owner, shop);
  asOwner = contextOf(db, shop.owner);
}, 180_000);
afterAll(async () => {
  await endReplica(db);
  await endPostingPools(db);
  await Promise.all([db.$disconnect(), owner.$disconnect(), standby.$disconnect()]);
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

const topUp = () =>
  post(db, {
    type: "TOP_UP",
    customer: customer.id,
    branch: shop.branch.id,
    actor: shop.owner.id,
    scope: "any",
    points: 1,
    key: randomUUID(),
    hash: "h",
  });
const stopReplay = () => standby.$queryRaw`select pg_wal_replay_pause()::text`;
const goOn = () => standby.$queryRaw`select pg_wal_replay_resume()::text`;

/** The server that answers a read of this context now. */
const serverOf = (ctx: Context) =>
  readLagging(ctx, async (on) => (primaryOf(on.db) === on.db ? "primary" : "replica"));
const readsReplica = () => expect.poll(() => serverOf(asOwner), patience).toBe("replica");

async function readsOf(server: "primary" | "replica"): Promise<number> {
  const { values } = await metrics().reads.get();
  return values.find(({ labels }) => labels.server === server)?.value ?? 0;
}
const repeatedReads = () => readsOf("primary");

/**
 * Reads until the standby has answered, because a busy machine may not know for a moment how far it is. It never answers an
 * operation that writes.
 */
const byReplica = (read: () => Promise<unknown>) =>
  expect
    .poll(async () => {
      const before = await readsOf("replica");
      await read();
      return (await readsOf("replica")) - before;
    }, patience)
    .toBeGreaterThan(0);

async function drain(parts: AsyncGenerator<unknown[]>): Promise<number> {
  let rows = 0;
  for await (const part of parts) rows += part.length;
  return rows;
}

test("every operation that may lag is answered by a standby, and an export is written down on the primary", async () => {
  await topUp();
  const admin = contextOf(db, await makeAdmin(owner));
  const stepped = contextOf(db, shop.owner);
  stepped.actor.steppedUpUntil = new Date(Date.now() + 300_000);
  const days = { from: "2026-01-01", to: "2026-01-31" };
  const file = { ...days, format: "csv" as const };
  await byReplica(() => listMovements(asOwner, {}));
  await byReplica(() => movementTotals(asOwner, {}));
  await byReplica(() => listCustomers(asOwner, {}));
  await byReplica(() => customerTotals(asOwner, {}));
  await byReplica(() => searchPanel(asOwner, { search: "B-1" }));
  await byReplica(() => ownerHome(asOwner, {}));
  await byReplica(() => listWorkers(asOwner, {}));
  await byReplica(() => listActivity(asOwner, {}));
  await byReplica(() => liability(asOwner, days));
  await byReplica(() => liabilityDays(asOwner, days));
  await byReplica(() => dashboard(admin, {}));
  await byReplica(() => listMerchants(admin, {}));
  await byReplica(async () => expect(await drain(await exportMovements(stepped, {}))).toBe(1));
  await byReplica(async () => expect(await drain(await exportCustomers(stepped, {}))).toBe(1));
  await byReplica(async () => drain(await exportWorkers(stepped, {})));
  await byReplica(async () => drain(await exportJournal(stepped, days)));
  await byReplica(() => liabilityReport(stepped, file));
  const exports = await owner.audit.groupBy({
    by: ["action"],
    where: { action: { startsWith: "export." } },
  });
  expect(exports).toHaveLength(5);
}, 120_000);

test("the first read of a process already goes to the standby, so that an export does not begin on the primary", async () => {
  const serverOfFirst = async () => {
    const fresh = createDb(cluster.primary.url(), 2);
    try {
      return await serverOf(contextOf(fresh, shop.owner));
    } finally {
      await endReplica(fresh);
      await fresh.$disconnect();
    }
  };
  // A busy machine may need more than a second to learn how far the standby is.
  await expect.poll(serverOfFirst, patience).toBe("replica");
}, 120_000);

test("a check of the ledger reads the standby, and keeps its verdict on the primary", async () => {
  await readsReplica();
  const before = await repeatedReads();
  expect(await verifyAndKeep(db, shop.merchant.id)).toMatchObject({ firstWrong: null });
  expect(await readLaggingAsProgram(db, verifyAudits)).toMatchObject({ wrong: null });
  expect(await repeatedReads()).toBe(before);
  expect(await owner.ledgerCheck.count({ where: { merchantId: shop.merchant.id, state: "done" } })).toBe(1);
}, 120_000);

test("a standby that stays behind is not read until it has caught up, and an idle primary leaves none behind", async () => {
  await readsReplica();
  await stopReplay();
  const { results: before } = await listMovements(asOwner, {});
  await topUp();
  // Once it is a second behind, reads see what was posted.
  await expect
    .poll(async () => (await listMovements(asOwner, {})).results.length, patience)
    .toBe(before.length + 1);
  expect(await serverOf(asOwner)).toBe("primary");
  await goOn();
  await readsReplica();
  expect((await listMovements(asOwner, {})).results).toHaveLength(before.length + 1);
}, 120_000);

test("a session that wrote reads the primary for five seconds, in every process that remembers it", async () => {
  const now = new Date();
  const { token, id } = await openSession(owner, {
    userId: shop.owner.id,
    userAgent: null,
    address: "203.0.113.1",
    now,
  });
  const memory = new SessionMemory<SessionRow>();
  const listening = listenForSessions(cluster.primary.url(), memory);
  const contextBy = async (purpose: Parameters<typeof resolveSession>[3]): Promise<Context> => {
    const found = await resolveSession(db, { token }, new Date(), purpose);
    if (found.state !== "live") throw new Error(found.state);
    return { ...asOwner, actor: found.actor };
  };
  const age = () =>
    owner.$executeRaw`update sessions set wrote_at = wrote_at - interval '1 minute' where id = ${id}::uuid`;
  try {
    await readsReplica();
    // It was opened just now.
    expect(await serverOf(await contextBy({}))).toBe("primary");
    await age();
    const remembered = async () => (await contextBy({ memory })) && memory.size;
    await expect.poll(remembered, patience).toBe(1);
    expect(await serverOf(await contextBy({ memory }))).toBe("replica");
    // The same process or another one serves its write.
    expect(await serverOf(await contextBy({ writes: true }))).toBe("primary");
    await expect.poll(async () => serverOf(await contextBy({ memory })), patience).toBe("primary");
    expect(await serverOf(await contextBy({}))).toBe("primary");
  } finally {
    await listening.stop();
  }
}, 120_000);

test("a call that writes is noted in its session at most once a second, and one that reads is not", async () => {
  const token = await tokenOf(owner, shop.owner);
  const userId = shop.owner.id;
  const noted = async () =>
    (await owner.session.findFirst({ where: { userId }, orderBy: { createdAt: "desc" } }))?.wroteAt;
  const put = async (wroteAt: Date) => {
    await owner.session.updateMany({ where: { userId }, data: { wroteAt } });
    return wroteAt;
  };
  const body = { customerId: customer.id, sPoints: 1, iBranchId: shop.branch.id };
  const write = () => call(handlerOf("POST", "top-up-points"), { method: "POST", token, body });
  try {
    const longAgo = await put(new Date("2026-01-01T00:00:00Z"));
    expect(await call(handlerOf("GET", "profile"), { token })).toMatchObject({ status: 200 });
    expect(await noted()).toEqual(longAgo);
    expect(await write()).toMatchObject({ status: 200 });
    expect(Number(await noted())).toBeGreaterThan(Number(longAgo));
    const justNow = await put(new Date(Date.now() + 60_000));
    expect(await write()).toMatchObject({ status: 200 });
    expect(await noted()).toEqual(justNow);
  } finally {
    await endReplica(getDb());
    await endPostingPools(getDb());
    await getDb().$disconnect();
  }
}, 120_000);

test("what the standby's replay cancels is read again on the primary", async () => {
  await standby.$executeRaw`alter system set max_standby_streaming_delay = 0`;
  await standby.$queryRaw`select pg_reload_conf()`;
  await readsReplica();
  const servers: string[] = [];
  const reading = readLagging(asOwner, async (on) => {
    const isPrimary = primaryOf(on.db) === on.db;
    servers.push(isPrimary ? "primary" : "replica");
    if (isPrimary) return on.db.branch.count();
    await on.db.$queryRaw`select pg_sleep(60)::text from branches`;
    return -1;
  });
  const isReading = async () => {
    const [row] = await standby.$queryRaw<{ readers: number }[]>`
      select count(*)::int as readers from pg_stat_activity where query like '%pg_sleep(60)%' and wait_event = 'PgSleep'`;
    return row?.readers;
  };
  await expect.poll(isReading, patience).toBe(1);
  await owner.$transaction((tx) => tx.$executeRaw`lock table branches in access exclusive mode`);
  expect(await reading).toBeGreaterThan(0);
  expect(servers).toEqual(["replica", "primary"]);
}, 120_000);

test("without the standby every read is answered by the primary, and by the standby once it is back", async () => {
  await readsReplica();
  await standby.$disconnect();
  await cluster.standby.stop();
  const answers = Array.from({ length: 20 }, () => listMovements(asOwner, {}));
  for (const { results } of await Promise.all(answers)) expect(results.length).toBeGreaterThan(0);
  await expect.poll(() => serverOf(asOwner), patience).toBe("primary");
  await cluster.addStandby();
  await readsReplica();
}, 180_000);
