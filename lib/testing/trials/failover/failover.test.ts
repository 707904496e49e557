import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openSession, resolveSession, type SessionRow } from "@/lib/accounts/session";
import { listenForSessions } from "@/lib/accounts/session-listener";
import { SessionMemory } from "@/lib/accounts/session-memory";
import { readiness } from "@/lib/api/health";
import { createDb, type Db } from "@/lib/db/client";
import type { DomainError } from "@/lib/domain/errors";
import { transportFor } from "@/lib/email/transports";
import { env } from "@/lib/env";
import { runWorker } from "@/lib/jobs/worker";
import type { Posting } from "@/lib/ledger/batch";
import { post } from "@/lib/ledger/post";
import { endPostingPools } from "@/lib/ledger/posting-pool";
import { makeCustomer, makeMerchant, publicContext } from "@/lib/testing/factories";
import { migrate } from "@/scripts/lib/migrate";
import { atPort } from "@/scripts/postgres/port";
import { temporaryDataDir } from "@/scripts/postgres/temporary";
import { Outside } from "../faults/program";
import { Cluster } from "./cluster";

const patience = { timeout: 60_000, interval: 50 };
const folder = temporaryDataDir("failover-test", { inMemory: true });
let cluster: Cluster;
/** The network between the program and the primary. */
let front: Outside;
/** The program's client, and the owner's on the primary of the moment. */
let db: Db;
let owner: Db;
let shop: Awaited<ReturnType<typeof makeMerchant>>;
let customer: Awaited<ReturnType<typeof makeCustomer>>;

const portOf = (url: string) => Number(new URL(url).port);

beforeAll(async () => {
  cluster = await Cluster.start(folder, (primary) =>
    migrate(primary.ownerUrl(), { application: primary.url() }),
  );
  front = await Outside.open(cluster.primaryPlace.port);
  const url = atPort(cluster.primary.url(), front.port);
  vi.stubEnv("DATABASE_URL", url);
  db = createDb(url, 4, { statements: "named" });
  owner = createDb(cluster.primary.ownerUrl(), 2);
  shop = await makeMerchant(owner);
  customer = await makeCustomer(owner, shop);
});
afterAll(async () => {
  await endPostingPools(db);
  await Promise.all([db.$disconnect(), owner.$disconnect()]);
  await front.close();
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
});

const row = (key: string = randomUUID()): Posting => ({
  type: "TOP_UP",
  customer: customer.id,
  branch: shop.branch.id,
  actor: shop.owner.id,
  scope: "any",
  points: 1,
  key,
  hash: "h",
});
const refusal = (posting: Promise<unknown>) => posting.catch((error: DomainError) => error);

/** The processes that wait for the standby. */
const waiters = () => owner.$queryRaw<{ pid: number }[]>`
  select pid from pg_stat_activity where wait_event = 'SyncRep'`;

test("a posting whose wait for the standby was cancelled has an unknown outcome, and its repeat waits too", async () => {
  const key = randomUUID();
  await cluster.standby.stop();
  for (const keyed of [true, false]) {
    const posting = refusal(post(db, row(keyed ? key : undefined), { keyed }));
    await expect.poll(async () => (await waiters()).length, patience).toBe(1);
    for (const { pid } of await waiters()) await owner.$queryRaw`select pg_cancel_backend(${pid}::int)`;
    expect(await posting).toMatchObject({ code: "outcome_unknown" });
  }
  // Such a posting is committed here, and only here: nobody is told so before the standby has it. A repeat waits, because
  // it locks the card.
  let answered = false;
  const repeat = post(db, row(key), { keyed: true }).finally(() => {
    answered = true;
  });
  await expect.poll(async () => (await waiters()).length, patience).toBe(1);
  expect(answered).toBe(false);
  // The same for a connection that an administrator ends.
  for (const { pid } of await waiters()) await owner.$queryRaw`select pg_terminate_backend(${pid}::int)`;
  expect(await refusal(repeat)).toMatchObject({ code: "outcome_unknown" });
  const again = post(db, row(key), { keyed: true });
  await expect.poll(async () => (await waiters()).length, patience).toBe(1);
  await cluster.waitForStandby("");
  expect(await again).toMatchObject({ outcome: "replayed" });
  expect(await owner.movement.count({ where: { idempotencyKey: key } })).toBe(1);
});

test("a server without a primary is not ready: on a standby, and where the database takes no writes", async () => {
  await cluster.addStandby();
  const ready = (on: Db) => readiness(publicContext(on), {});
  await expect(ready(db)).resolves.toMatchObject({ ready: true });
  const standby = createDb(cluster.standby.url(), 1);
  await expect(ready(standby)).rejects.toMatchObject({ code: "unavailable" });
  await standby.$disconnect();
  await owner.$executeRaw`alter database wallet set default_transaction_read_only = on`;
  const readOnly = createDb(cluster.primary.url(), 1);
  await expect(ready(readOnly)).rejects.toMatchObject({ code: "unavailable" });
  await readOnly.$disconnect();
  const free = new URL(cluster.primary.ownerUrl());
  free.searchParams.set("options", "-c default_transaction_read_only=off");
  const mending = createDb(free.href, 1);
  await mending.$executeRaw`alter database wallet reset default_transaction_read_only`;
  await mending.$disconnect();
});

test("a failover needs no restart: queries, statements, postings, jobs and sessions go on", async () => {
  const url = env().DATABASE_URL;
  const memory = new SessionMemory<SessionRow>();
  const listening = listenForSessions(url, memory);
  let ran = 0;
  const probe = async () => {
    ran += 1;
  };
  const context = { db, transport: transportFor({ ...env(), SMTP_URL: "smtp://127.0.0.1:1" }) };
  const worker = runWorker({ connectionString: url, context, tasks: { probe } });
  const addJob = () => owner.$queryRaw`select graphile_worker.add_job('probe')::text`;
  const statement = () =>
    db.branch.findMany({ where: { id: shop.branch.id }, select: { name: true }, take: 7 });
  const session = await openSession(owner, {
    userId: shop.owner.id,
    userAgent: null,
    address: "203.0.113.1",
    now: new Date(),
  });
  const ask = () => resolveSession(db, { token: session.token }, new Date(), { memory });
  try {
    await addJob();
    await expect.poll(() => ran, patience).toBe(1);
    for (let turn = 0; turn < 4; turn++) expect(await statement()).toHaveLength(1);
    await expect.poll(async () => (await ask()) && memory.size, patience).toBe(1);
    expect(await post(db, row())).toMatchObject({ outcome: "posted" });

    await cluster.primary.kill();
    await expect.poll(() => memory.size, patience).toBe(0);
    front.become("down");
    expect(await refusal(post(db, row(), { keyed: true }))).toMatchObject({ code: "unavailable" });
    await cluster.promote();
    front.behind = cluster.primaryPlace.port;
    front.become("good");
    await owner.$disconnect();
    owner = createDb(cluster.primary.ownerUrl(), 2);

    await expect
      .poll(() => post(db, row()).catch(() => undefined), patience)
      .toMatchObject({ outcome: "posted" });
    for (let turn = 0; turn < 4; turn++) expect(await statement()).toHaveLength(1);
    await addJob();
    await expect.poll(() => ran, patience).toBe(2);
    await expect.poll(async () => (await ask()) && memory.size, patience).toBe(1);
    await owner.session.update({ where: { id: session.id }, data: { revokedAt: new Date() } });
    await expect.poll(async () => (await ask()).state, patience).toBe("ended");
  } finally {
    await Promise.all([listening.stop(), worker.stop()]);
  }
});

test("connections to a server that became a standby are not kept", async () => {
  const former = await cluster.startFormer();
  front.behind = portOf(former.url());
  front.become("good");
  expect(await refusal(post(db, row(), { keyed: true }))).toMatchObject({ code: "unavailable" });
  await expect(db.branch.count()).rejects.toThrow();
  front.behind = cluster.primaryPlace.port;
  expect(await post(db, row())).toMatchObject({ outcome: "posted" });
  expect(await db.branch.count()).toBeGreaterThan(0);
});

test("connections that a network cuts silently are replaced, while a long statement is left alone", async () => {
  expect(await post(db, row())).toMatchObject({ outcome: "posted" });
  await db.branch.count();
  const long = owner.$queryRaw`select pg_sleep(12)::text`;
  front.cut();
  const cut = [refusal(post(db, row(), { keyed: true })), refusal(db.branch.count())];
  front.mood = "good";
  await expect
    .poll(() => post(db, row()).catch(() => undefined), patience)
    .toMatchObject({ outcome: "posted" });
  for (const answer of await Promise.all(cut)) expect(answer).toBeDefined();
  await long;
});
