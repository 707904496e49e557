import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { eventually } from "./deploy-observed";
import { untilReady } from "./lib/serve";
import type { Guarded } from "./postgres/guarded";

const COUNT = 2;
/** The settings of a server of two processes. */
export const severalSettings = (metricsPort: number): Record<string, string> => ({
  SERVER_PROCESSES: String(COUNT),
  METRICS_PORT: String(metricsPort),
});

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);

/** How many readings of /api/health each process has counted, by its own metrics; undefined where none answers. */
const answered = (metricsPort: number) =>
  Promise.all(
    Array.from({ length: COUNT }, async (_, place) => {
      const answer = await fetch(`http://127.0.0.1:${metricsPort + place}/api/metrics`).catch(
        () => undefined,
      );
      if (!answer) return undefined;
      const counted = /http_requests_total\{route="\/api\/health",.*status="200"\} (\d+)/.exec(
        await answer.text(),
      );
      return Number(counted?.[1] ?? 0);
    }),
  );

/** Asks once, over a new connection, which the system gives to any of the processes. */
const health = (base: string): Promise<number | undefined> =>
  fetch(`${base}/api/health`, { headers: { connection: "close" }, signal: AbortSignal.timeout(5_000) }).then(
    ({ status }) => status,
    () => undefined,
  );

/** Begins a request, asks the server to end, and sends the rest. Answers the status. */
async function answeredWhileEnding(base: string, server: Guarded): Promise<number | undefined> {
  const body = JSON.stringify({ sEmail: "someone@wallet.example" });
  const headers = {
    "content-type": "application/json",
    "content-length": body.length,
    // The server says when the request has arrived.
    expect: "100-continue",
  };
  const begun = request(`${base}/api/auth/merchant/email-exist`, { method: "POST", headers });
  begun.flushHeaders();
  await once(begun, "continue");
  const ended = server.stop();
  await eventually("the port is closed", async () => (await health(base)) === undefined);
  begun.end(body);
  const [answer] = (await once(begun, "response")) as [{ statusCode?: number; resume(): void }];
  answer.resume();
  await ended;
  return answer.statusCode;
}

/**
 * A server of several processes: each answers and counts, the place of a killed one is taken while the other answers on,
 * and SIGTERM ends all, after what they had begun.
 */
export async function several(base: string, metricsPort: number, server: Guarded): Promise<void> {
  await untilReady(base, server);
  await eventually("each process answers", async () => {
    await health(base);
    return (await answered(metricsPort)).every((count) => count !== undefined && count > 0);
  });
  const parent = await server.pid;
  const before = childrenOf(parent);
  assert.equal(before.length, COUNT);
  const [killed = 0, other = 0] = before;
  process.kill(killed, "SIGKILL");
  await eventually("another takes its place", async () => {
    assert.ok(existsSync(`/proc/${other}`), "the other one is not touched");
    return (
      (await answered(metricsPort)).every((count) => count !== undefined) &&
      !childrenOf(parent).includes(killed)
    );
  });
  for (let n = 0; n < 2 * COUNT; n++) assert.equal(await health(base), 200);
  const all = childrenOf(parent);
  assert.equal(await answeredWhileEnding(base, server), 200, "what was begun is answered");
  for (const pid of [parent, ...all]) assert.ok(!existsSync(`/proc/${pid}`), "none is left");
  console.log(
    "  two processes share the port: each counts, a killed one is replaced, and both end after their answers",
  );
}
