import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { newSecret, signerOf } from "@/lib/webhooks/send";
import { RECEIVERS } from "./developer-examples";

const ENDPOINT = "0199aa10-7c4e-7d11-8a54-5f7e0c3b2d19";
const BODY = '{"type":"topup.posted","timestamp":"2026-11-25T08:00:00.000Z","data":{"iSeq":7}}';

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

const has = (program: string) => {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

const PROGRAMS = [
  ["webhook", process.execPath, (file: string) => [file], "mjs"],
  ["python", "python3", (file: string) => [file], "py"],
  ["php", "php", (file: string, port: number) => ["-S", `127.0.0.1:${port}`, file], "php"],
] as const;

for (const [name, program, args, ending] of PROGRAMS) {
  test.runIf(has(program))(
    `the guide's receiver (${name}) takes a good message, also during a rotation, and no other`,
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "wallet-receiver-"));
      const file = join(folder, `receiver.${ending}`);
      writeFileSync(file, RECEIVERS[name]);
      const port = await freePort();
      const [older, newer, other] = [newSecret(ENDPOINT), newSecret(ENDPOINT), newSecret(ENDPOINT)];
      const child = spawn(program, args(file, port), {
        env: { ...process.env, WALLET_SECRET: older.secret, PORT: String(port) },
        stdio: ["ignore", "pipe", "pipe"],
      });
      let printed = "";
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (printed += part));
      onTestFinished(() => {
        child.kill("SIGKILL");
        rmSync(folder, { recursive: true });
      });
      const send = async (headers: Record<string, string>, body = BODY) =>
        (await fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers, body })).status;
      const now = new Date();
      const sign = signerOf(ENDPOINT, [newer.kept, older.kept], true);
      await vi.waitFor(async () => expect(await send(sign("e1", now, BODY))).toBe(204), {
        timeout: 20_000,
        interval: 50,
      });
      expect(await send(signerOf(ENDPOINT, [other.kept], false)("e1", now, BODY))).toBe(401);
      expect(await send(sign("e1", now, BODY), BODY.replace("7", "8"))).toBe(401);
      expect(await send(sign("e1", now, BODY), JSON.stringify(JSON.parse(BODY), null, 1))).toBe(401);
      expect(await send(sign("e1", new Date(now.getTime() - 600_000), BODY))).toBe(401);
      expect(await send({ "content-type": "application/json" })).toBe(401);
      expect(printed).toContain("e1 topup.posted");
    },
  );
}
