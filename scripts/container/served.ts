import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { atEnd } from "../lib/ending";
import { untilReady } from "../lib/serve";
import type { Composed } from "./compose";
import { Engine } from "./image";

const ALL = "the image is built and served";

/** A container that serves; `stop` asks it to end and answers how it did. */
export type Contained = { stop(): Promise<string> };

/** The longest that a server may take to end after SIGTERM, in seconds. */
const DRAIN_SECONDS = 15;

/** Builds the image and serves from it, as compose would; undefined where no engine runs. */
export async function inContainer(
  folder: string,
  port: number,
  composed: Composed,
): Promise<Contained | undefined> {
  const engine = Engine.open(folder);
  if (typeof engine === "string") {
    notRun(ALL, engine);
    return undefined;
  }
  mkdirSync(folder, { recursive: true });
  atEnd(() => engine.close());
  const base = engine.base(folder);
  if ("reason" in base) {
    notRun(ALL, base.reason);
    return undefined;
  }
  const minutes = async (work: () => void) => {
    const began = Date.now();
    work();
    return `${((Date.now() - began) / 60_000).toFixed(1)} minutes`;
  };
  const tools = await tableRow("the Dockerfile's target tools is built, in a chroot", async () => {
    const took = await minutes(() => engine.build("tools"));
    return `${took}; base: ${base.from}`;
  });
  if (!tools) return undefined;
  const built = await tableRow("its target app is built, without packages or sources", async () => {
    const took = await minutes(() => engine.build("app"));
    const files = engine.start("wallet-app", {}, ["--rm"], "ls", "-a", "/app");
    assert.doesNotMatch(files, /^(app|lib|prisma|scripts|package-lock\.json|\.git|\.env.*)$/m);
    return `${took}; ${engine.size("wallet-app")}`;
  });
  if (!built) return undefined;
  await tableRow("npm run migrate in the image of the tools", async () => {
    const printed = engine.start("wallet-tools", composed.migrate, ["--rm", "--tmpfs=/tmp"]);
    return printed.trim().split("\n").at(-1) ?? "";
  });
  const tmpfs = (composed.services.app?.tmpfs ?? []).map(
    (one) => `--tmpfs=${one.replace(/:.*/, ":rw,mode=1777")}`,
  );
  assert.equal(composed.services.app?.read_only, true);
  const env = { ...composed.app, PORT: String(port), HOSTNAME: "127.0.0.1" };
  const id = engine.start("wallet-app", env, ["--detach", "--init", ...tmpfs]).trim();
  atEnd(() => void engine.run("rm", "--force", "--ignore", "--time", "10", id));
  const served = await tableRow("it serves as the user node, on a read-only file system", async () => {
    await untilReady(`http://127.0.0.1:${port}`, { ended: () => false, gone: Promise.resolve("") }).catch(
      (error: unknown) => {
        throw new Error(`${error}\n${engine.run("logs", id).slice(-2_000)}`);
      },
    );
    assert.equal(engine.run("exec", id, "id", "-u").trim(), "1000");
    const writes = engine.run("exec", id, "sh", "-c", "touch /app/x 2>&1 || true");
    assert.match(writes, /Read-only/);
    assert.match(engine.run("exec", id, "grep", "CapEff", "/proc/self/status"), /0{16}/);
    return "no capability, no root, nothing writable but its tmpfs";
  });
  await tableRow("its health check", () => {
    engine.run("healthcheck", "run", id);
    return "healthy";
  });
  if (!served) return undefined;
  return {
    async stop() {
      const began = Date.now();
      // SIGKILL would follow after so many seconds.
      engine.run("stop", "--time", String(DRAIN_SECONDS), id);
      const seconds = (Date.now() - began) / 1_000;
      const code = engine.run("inspect", "--format", "{{.State.ExitCode}}", id).trim();
      // 143 is the server's own word for SIGTERM, 137 would be the kill.
      assert.match(code, /^(0|143)$/, engine.run("logs", id).slice(-2_000));
      return `exit code ${code} after ${seconds.toFixed(1)} s`;
    },
  };
}

let [passed, failed] = [0, 0];

/** One row of the table; `work` answers a remark. Answers whether it held. */
export async function tableRow(name: string, work: () => Promise<string> | string): Promise<boolean> {
  try {
    const remark = await work();
    passed++;
    console.log(`held     ${name.padEnd(58)} ${remark}`);
    return true;
  } catch (error) {
    failed++;
    console.log(`FAILED   ${name.padEnd(58)} ${error instanceof Error ? error.message : error}`);
    return false;
  }
}

/** A row that this machine cannot try, and why. */
export const notRun = (name: string, why: string) => console.log(`not run  ${name.padEnd(58)} ${why}`);

/** Prints the end of the table. Answers the command's exit code. */
export function endOfTable(): number {
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}
