import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { createDb } from "./client";
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
