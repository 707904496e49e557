import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { testDb } from "@/lib/testing/database";
import { makeMerchant } from "@/lib/testing/factories";
import { createDb, type Tx } from "./client";
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
      await expect.poll(() => met, { timeout: 10_000 }).toBeGreaterThanOrEqual(2);
      await change(tx, ids[1] ?? "");
    });
  const results = await Promise.allSettled([both([one, other]), both([other, one])]);
  const refused = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  expect(refused.map((error) => [isDatabaseUnavailable(error), isConnectionLost(error)])).toEqual([
    [true, false],
  ]);
});
