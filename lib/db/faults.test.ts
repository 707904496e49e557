import { readFileSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testDb } from "@/lib/testing/database";
import { makeMerchant } from "@/lib/testing/factories";
import { startPostgres } from "@/scripts/postgres/server";
import { temporaryDataDir } from "@/scripts/postgres/temporary";
import { createDb, type Db, type Tx } from "./client";
import { isConnectionLost, isDatabaseUnavailable } from "./faults";

test.each<[string, (socket: Socket) => void]>([
  ["resets a connection", (socket) => socket.once("data", () => socket.resetAndDestroy())],
  ["ends a connection", (socket) => socket.once("data", () => socket.end())],
])("a database that %s is unavailable, for raw queries as for others", async (_what, meets) => {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    meets(socket);
  });
  await new Promise<void>((up) => server.listen(0, "127.0.0.1", up));
  const { port } = server.address() as AddressInfo;
  const db = createDb(`postgresql://nobody:nothing@127.0.0.1:${port}/none`, 1);
  const queries = [
    () => db.$queryRaw`select 1`,
    () => db.$executeRaw`select 1`,
    () => db.merchant.count(),
    () => db.$transaction((tx) => tx.$queryRaw`select 1`),
  ];
  for (const query of queries) {
    const error: unknown = await query().catch((thrown: unknown) => thrown);
    expect([isConnectionLost(error), isDatabaseUnavailable(error)], String(error)).toEqual([true, true]);
  }
  await db.$disconnect();
  server.close();
});

test.each<[string, (tx: Tx, id: string) => Promise<unknown>]>([
  ["a statement", (tx, id) => tx.$executeRaw`update merchants set refund_days = 2 where id = ${id}::uuid`],
  ["a record's change", (tx, id) => tx.merchant.update({ where: { id }, data: { refundDays: 1 } })],
])("whom Postgres ends in a deadlock by %s may come again", async (_what, change) => {
  const db = await testDb();
  const [one, other] = [(await makeMerchant(db)).merchant.id, (await makeMerchant(db)).merchant.id];
  let met = 0;
  const both = (ids: string[]) =>
    db.$transaction(async (tx) => {
      await change(tx, ids[0] ?? "");
      met++;
      await expect.poll(() => met).toBeGreaterThanOrEqual(2);
      await change(tx, ids[1] ?? "");
    });
  const results = await Promise.allSettled([both([one, other]), both([other, one])]);
  const refused = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  expect(refused.map((error) => [isDatabaseUnavailable(error), isConnectionLost(error)])).toEqual([
    [true, false],
  ]);
});

/** The ways in which the program asks: alone, under a name, in a transaction, and slowly enough to be interrupted. */
const ASKS: ((db: Db) => Promise<unknown>)[] = [
  (db) => db.$queryRaw`select 1`,
  (db) => db.$executeRaw`select pg_sleep(0.05)`,
  (db) => db.$transaction((tx) => tx.$queryRaw`select pg_sleep(0.05)::text`),
  (db) =>
    db.$transaction(async (tx) => {
      await tx.$executeRaw`set local idle_in_transaction_session_timeout = '10s'`;
      return await tx.$queryRaw`select pg_sleep(0.05)::text`;
    }),
  (db) => db.$transaction([db.$queryRaw`select 1`, db.$queryRaw`select pg_sleep(0.05)::text`]),
];

test("whatever a database answers that is killed, shut down or started again, it is unavailable", async () => {
  const dataDir = temporaryDataDir("faults", { inMemory: true });
  let server = await startPostgres({ dataDir, throwaway: true });
  const port = new URL(server.url()).port;
  const first = createDb(server.ownerUrl(), 6);
  const dbs = [first, createDb(server.ownerUrl(), 2, { statements: "named" })];
  const unknown = new Set<string>();
  let [refused, answered, isOver] = [0, 0, false];
  const asking = dbs.flatMap((db) =>
    [...ASKS, ...ASKS].map(async (ask) => {
      while (!isOver) {
        try {
          await ask(db);
          answered++;
        } catch (error) {
          refused++;
          if (!isDatabaseUnavailable(error)) unknown.add(String(error));
          await new Promise((done) => setTimeout(done, 5));
        }
      }
    }),
  );
  const more = async (count: () => number, before = count()) => {
    await expect.poll(count).toBeGreaterThan(before + 5);
  };
  const postmaster = () => Number(readFileSync(join(server.folder, "postmaster.pid"), "utf8").split("\n")[0]);
  const kill = (signal: NodeJS.Signals) => async () => {
    process.kill(postmaster(), signal);
    await expect.poll(() => server.ended()).toBe(true);
  };
  const strikes: (() => Promise<void>)[] = [
    kill("SIGKILL"),
    kill("SIGINT"),
    // One backend is killed: Postgres ends all of them and recovers by itself.
    async () => {
      const [backend] = await first.$queryRaw<{ pid: number }[]>`select pg_backend_pid() as pid`;
      process.kill(backend?.pid ?? 0, "SIGKILL");
    },
  ];
  try {
    for (const strike of strikes) {
      await more(() => answered);
      const before = refused;
      await strike();
      await more(() => refused, before);
      if (server.ended()) server = await startPostgres({ dataDir, throwaway: true, port: Number(port) });
    }
    await more(() => answered);
  } finally {
    isOver = true;
    await Promise.all(asking);
    for (const db of dbs) await db.$disconnect();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
  expect([...unknown]).toEqual([]);
});
