import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atEnd, projectRoot } from "@/scripts/lib/command";
import { startGuarded } from "@/scripts/postgres/guarded";
import { freePort } from "@/scripts/postgres/port";

const { version } = JSON.parse(readFileSync(join(projectRoot, "node_modules/next/package.json"), "utf8")) as {
  version: string;
};
// Beside the project: within it, Next takes the project's middleware and instrumentation for its own.
const folder = join(tmpdir(), `wallet-bench-empty-${version}`);
const next = join(folder, "node_modules/next/dist/bin/next");

/** Builds (once) and starts a Next with one empty page and one handler. It ends with this process. */
export async function startEmptyNext(): Promise<{ base: string; pid: number }> {
  const env = { ...process.env, NODE_ENV: "production" as const, NEXT_TELEMETRY_DISABLED: "1" };
  if (!existsSync(join(folder, ".next/BUILD_ID"))) {
    cpSync(join(projectRoot, "bench/empty-next"), folder, { recursive: true });
    if (!existsSync(join(folder, "node_modules"))) {
      execFileSync("cp", ["-al", join(projectRoot, "node_modules"), folder]);
    }
    execFileSync(process.execPath, [next, "build"], {
      cwd: folder,
      env,
      stdio: ["ignore", "ignore", "inherit"],
    });
  }
  const port = await freePort();
  const server = startGuarded({
    command: process.execPath,
    args: [next, "start", "--hostname", "127.0.0.1", "--port", String(port)],
    cwd: folder,
    env,
    patience: 5_000,
    output: "keep",
  });
  atEnd(() => server.stop());
  const base = `http://127.0.0.1:${port}`;
  for (const until = Date.now() + 60_000; ; ) {
    const isUp = await fetch(base).then(
      (answer) => answer.ok,
      () => false,
    );
    if (isUp) return { base, pid: await server.pid };
    if (server.ended() || Date.now() > until) throw new Error(`Next did not start: ${await server.gone}`);
    await new Promise((done) => setTimeout(done, 200));
  }
}
