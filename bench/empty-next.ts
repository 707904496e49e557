import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { atEnd } from "@/scripts/lib/ending";
import { projectRoot } from "@/scripts/lib/project";
import { startGuarded } from "@/scripts/postgres/guarded";
import { freePort } from "@/scripts/postgres/port";

const folder = join(projectRoot, "bench/empty-next");
const next = join(projectRoot, "node_modules/next/dist/bin/next");

/** Builds (once) and starts a Next with one empty page and one handler. It ends with this process. */
export async function startEmptyNext(): Promise<{ base: string; pid: number }> {
  const env = { ...process.env, NODE_ENV: "production" as const, NEXT_TELEMETRY_DISABLED: "1" };
  if (!existsSync(join(folder, ".next/BUILD_ID"))) {
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
    signals: ["SIGTERM", "SIGKILL"],
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
