import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { freePort } from "../postgres/port";

// The real module before a server that answers with its process id, and ends before it listens while a file says so.
const SERVER = `
import { existsSync } from "node:fs";
import http from "node:http";
if (existsSync("refuse")) process.exit(7);
http.createServer((_request, response) => response.end(String(process.pid))).listen(Number(process.env.PORT), "127.0.0.1");
`;

let parent: ChildProcess | undefined;
let folder = "";

afterEach(() => {
  parent?.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

async function startServers({ refusing = false } = {}): Promise<number> {
  folder = mkdtempSync(join(tmpdir(), "wallet-processes-"));
  copyFileSync("scripts/lib/processes.mjs", join(folder, "processes.mjs"));
  writeFileSync(join(folder, "server.mjs"), `import "./processes.mjs";\n${SERVER}`);
  if (refusing) writeFileSync(join(folder, "refuse"), "");
  const port = await freePort();
  const env = { ...process.env, SERVER_PROCESSES: "2", PORT: String(port) };
  parent = spawn(process.execPath, ["server.mjs"], { cwd: folder, env, stdio: ["ignore", "ignore", "pipe"] });
  return port;
}

/** The process that answers a connection of its own; undefined where none does. */
const answering = (port: number): Promise<number | undefined> =>
  fetch(`http://127.0.0.1:${port}`, {
    headers: { connection: "close" },
    signal: AbortSignal.timeout(2_000),
  }).then(
    async (answer) => Number(await answer.text()),
    () => undefined,
  );

/** Asks until so many processes have answered. */
async function untilAnswered(port: number, count: number): Promise<number[]> {
  const seen = new Set<number>();
  const ask = async () => {
    const pid = await answering(port);
    if (pid !== undefined && existsSync(`/proc/${pid}`)) seen.add(pid);
    return [...seen].filter((one) => existsSync(`/proc/${one}`)).length;
  };
  await expect.poll(ask).toBe(count);
  return [...seen].filter((one) => existsSync(`/proc/${one}`));
}

test("a replacement that does not start leaves the others alone, and is tried again", async () => {
  const port = await startServers();
  const [killed = 0, other = 0] = await untilAnswered(port, 2);
  writeFileSync(join(folder, "refuse"), "");
  let printed = "";
  parent?.stderr?.on("data", (chunk) => {
    printed += chunk;
  });
  process.kill(killed, "SIGKILL");
  await expect.poll(() => printed).toMatch(/"signal":"SIGKILL".*"code":7/s);
  expect(await answering(port)).toBe(other);
  rmSync(join(folder, "refuse"));
  const both = await untilAnswered(port, 2);
  expect(both).toContain(other);
  const ended = once(parent as ChildProcess, "exit");
  parent?.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  for (const pid of both) expect(existsSync(`/proc/${pid}`)).toBe(false);
});

test("where none starts, all end with its exit code", async () => {
  await startServers({ refusing: true });
  expect(await once(parent as ChildProcess, "exit")).toEqual([7, null]);
});
