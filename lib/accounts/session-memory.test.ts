import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createDb, type Db } from "@/lib/db/client";
import { env } from "@/lib/env";
import { testDb } from "@/lib/testing/database";
import { makeMerchant } from "@/lib/testing/factories";
import { endSessions, openSession, resolveSession, type SessionRow } from "./session";
import { listenForSessions } from "./session-listener";
import { SessionMemory } from "./session-memory";

const db = await testDb();

/** What one server has: a connection pool, a memory, and a listener on a connection of its own. */
function startProcess() {
  // Its clock stands still, so that nothing is forgotten because a machine is slow.
  const memory = new SessionMemory<SessionRow>(() => 0);
  const client = createDb(env().DATABASE_URL, 2);
  const listening = listenForSessions(env().DATABASE_URL, memory);
  return {
    memory,
    client,
    stop: () => Promise.all([listening.stop(), client.$disconnect()]),
    ask: (token: string) => resolveSession(client, { token }, new Date(), { memory }),
  };
}
type Server = ReturnType<typeof startProcess>;
let servers: Server[] = [];
beforeAll(() => {
  servers = [startProcess(), startProcess()];
});
afterAll(async () => {
  await Promise.all(servers.map((one) => one.stop()));
});

const patience = { timeout: 60_000, interval: 50 };

/** Reads the session by each server until each remembers it. */
async function remembered(token: string): Promise<void> {
  for (const server of servers) {
    await vi.waitFor(async () => {
      expect(await server.ask(token)).toMatchObject({ state: "live" });
      const spy = vi.spyOn(server.client, "$queryRaw");
      await server.ask(token);
      const reads = spy.mock.calls.length;
      spy.mockRestore();
      expect(reads).toBe(0);
    }, patience);
  }
}

async function newSession(data: Parameters<typeof makeMerchant>[1] = {}) {
  const shop = await makeMerchant(db, data);
  const session = await openSession(db, {
    userId: shop.owner.id,
    userAgent: null,
    address: "203.0.113.1",
    now: new Date(),
  });
  return { ...shop, session };
}
type Opened = Awaited<ReturnType<typeof newSession>>;

describe("every process hears that a session", () => {
  const changes: [string, (by: Db, opened: Opened) => Promise<unknown>, object][] = [
    ["ended", (by, { session }) => endSessions(by, { id: session.id }, new Date()), { state: "ended" }],
    [
      "was removed",
      (_, { session }) => db.session.delete({ where: { id: session.id } }),
      { state: "missing" },
    ],
    [
      "was claimed by a browser",
      (by, { session }) => by.session.update({ where: { id: session.id }, data: { tokenHash: null } }),
      { state: "missing" },
    ],
    [
      "is of a disabled user",
      (by, { owner }) => by.user.update({ where: { id: owner.id }, data: { status: "disabled" } }),
      { state: "ended" },
    ],
    [
      "is of a user with another role",
      (by, { owner }) =>
        by.user.update({ where: { id: owner.id }, data: { role: "super_admin", merchantId: null } }),
      { actor: { role: "super_admin" } },
    ],
    [
      "is of a suspended merchant",
      (by, { merchant }) =>
        by.merchant.update({
          where: { id: merchant.id },
          data: { suspendedAt: new Date(), suspensionReason: "Doubts" },
        }),
      { actor: { merchantSuspension: "Doubts" } },
    ],
    [
      "is of a merchant with another status",
      (by, { merchant }) => by.merchant.update({ where: { id: merchant.id }, data: { status: "rejected" } }),
      { actor: { merchantStatus: "rejected" } },
    ],
    [
      "confirmed who it is",
      (by, { session }) =>
        by.session.update({
          where: { id: session.id },
          data: { steppedUpUntil: new Date("2100-01-01T00:00:00Z") },
        }),
      { actor: { steppedUpUntil: new Date("2100-01-01T00:00:00Z") } },
    ],
    [
      "has a second factor",
      (by, { owner }) =>
        by.secondFactor.create({
          data: { userId: owner.id, kind: "totp", name: "App", secret: "none", confirmedAt: new Date() },
        }),
      { actor: { secondFactor: true } },
    ],
  ];
  test.each(changes)("%s", async (_what, change, expected) => {
    const opened = await newSession();
    await remembered(opened.session.token);
    // One of the two makes the change: its own memory hears it in the same way.
    await change(servers[0]?.client ?? db, opened);
    await Promise.all(
      servers.map(({ ask }) =>
        vi.waitFor(async () => expect(await ask(opened.session.token)).toMatchObject(expected), patience),
      ),
    );
  });
});

test("a use that only extends a session is not announced", async () => {
  const { session } = await newSession();
  await remembered(session.token);
  const [server] = servers;
  await db.session.update({ where: { id: session.id }, data: { lastSeenAt: new Date() } });
  // Announcements arrive in the order of their commits.
  const other = await newSession();
  await remembered(other.session.token);
  await endSessions(db, { id: other.session.id }, new Date());
  await vi.waitFor(
    async () => expect(await server?.ask(other.session.token)).toMatchObject({ state: "ended" }),
    patience,
  );
  const spy = vi.spyOn(server?.client ?? db, "$queryRaw");
  expect(await server?.ask(session.token)).toMatchObject({ state: "live" });
  expect(spy).not.toHaveBeenCalled();
  spy.mockRestore();
});

test("a process that lost its listener remembers nothing, until it listens again", async () => {
  const { session } = await newSession();
  await remembered(session.token);
  const killed = await db.$queryRaw<object[]>`
    select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'wallet sessions' and datname = current_database()`;
  expect(killed).toHaveLength(2);
  await vi.waitFor(() => expect(servers.map(({ memory }) => memory.size)).toEqual([0, 0]), patience);
  await endSessions(db, { id: session.id }, new Date());
  for (const { ask } of servers) expect(await ask(session.token)).toMatchObject({ state: "ended" });
  const next = await newSession();
  await vi.waitFor(() => remembered(next.session.token), patience);
});

describe("by a clock", () => {
  const row = { sessionId: "s", userId: "u", merchantId: "m" };
  function memoryAt(start: number) {
    const at = { now: start };
    const memory = new SessionMemory<typeof row>(() => at.now);
    memory.heardUntil(start);
    return { at, memory };
  }

  test("a session is remembered for five seconds at most", () => {
    const { at, memory } = memoryAt(0);
    memory.reading()("k", row);
    at.now = 5_000;
    memory.heardUntil(5_000);
    expect(memory.find("k")).toBe(row);
    at.now = 5_001;
    expect(memory.find("k")).toBeUndefined();
  });

  test("nothing is remembered when no pulse came back for a second", () => {
    const { at, memory } = memoryAt(0);
    memory.reading()("k", row);
    at.now = 1_001;
    expect(memory.find("k")).toBeUndefined();
    memory.heardUntil(900);
    expect(memory.find("k")).toBe(row);
  });

  test("what was read while a change was announced is not remembered", () => {
    const { memory } = memoryAt(0);
    const remember = memory.reading();
    memory.forget("user:somebody");
    remember("k", row);
    expect(memory.find("k")).toBeUndefined();
  });

  test("an announcement of another form forgets everything, and the memory is bounded", () => {
    const { memory } = memoryAt(0);
    for (let n = 0; n < 10_050; n += 1) memory.reading()(`k${n}`, row);
    expect(memory.size).toBe(10_000);
    memory.forget("something");
    expect(memory.size).toBe(0);
  });
});
