import { createServer } from "node:net";
import { expect, test } from "vitest";
import { assertFree, freePort } from "./port";

test("a port that is taken is reported before anything is built", async () => {
  const port = await freePort();
  const here = { port, host: "127.0.0.1" };
  await assertFree(here);
  const server = createServer();
  await new Promise<void>((up) => server.listen(port, here.host, up));
  await expect(assertFree(here)).rejects.toThrow(`Port ${port} cannot be used`);
  await new Promise((down) => server.close(down));
  await assertFree(here);
});

test("a free port is none that an outgoing connection may take before its server listens", async () => {
  const ports = await Promise.all(Array.from({ length: 100 }, freePort));
  for (const port of ports) expect(port).toBeLessThan(32_768);
});
