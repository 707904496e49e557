import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { atEnd, projectRoot } from "@/scripts/lib/command";
import { untilReady } from "@/scripts/lib/serve";
import { onPath } from "@/scripts/lib/tools";
import type { Table } from "../trials";

type Service = {
  environment?: Record<string, string | null>;
  read_only?: boolean;
  tmpfs?: string[];
  ports?: string[];
  depends_on?: string[] | Record<string, unknown>;
  configs?: { source: string }[];
};
type Settings = Record<string, string>;

/** The services of compose, and the environments of the server and of the migrations. */
export type Composed = { services: Record<string, Service>; app: Settings; migrate: Settings };

type ComposeFile = { services: Record<string, Service>; configs?: Record<string, { content: string }> };

/** A compose file, with the values that it takes from its environment. Throws for one that is missing. */
export function composeFile(given: Settings, file = "docker-compose.yml"): ComposeFile {
  const text = readFileSync(join(projectRoot, file), "utf8");
  const filled = text.replace(
    /(?<!\$)\$\{(\w+)(?::([-?])([^}]*))?\}/g,
    (_, name: string, kind: string, rest = "") => {
      const value = given[name];
      if (!value && kind === "?") throw new Error(`${file} needs ${name}: ${rest}`);
      return value || (kind === "-" ? rest : "");
    },
  );
  return parse(filled, { merge: true }) as ComposeFile;
}

/** The environment of a service, with these hosts in place of compose's own. */
export function environmentOf(service: Service | undefined, hosts: Settings): Settings {
  const entries = Object.entries(service?.environment ?? {}).map(([name, value]) => {
    let placed = String(value ?? "");
    for (const [host, here] of Object.entries(hosts)) placed = placed.replace(host, here);
    return [name, placed] as const;
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== ""));
}

const ALL = "the image is built and served";

/** The longest that a server may take to end after SIGTERM, in seconds. */
const DRAIN_SECONDS = 15;

/** Builds the image and serves from it, as compose would; undefined where no engine runs. */
export async function inContainer(
  folder: string,
  port: number,
  composed: Composed,
  table: Table,
): Promise<{ stop(): Promise<string> } | undefined> {
  const engine = Engine.open(folder);
  if (typeof engine === "string") {
    table.notRun(ALL, engine);
    return undefined;
  }
  mkdirSync(folder, { recursive: true });
  atEnd(() => engine.close());
  const base = engine.base(folder);
  if ("reason" in base) {
    table.notRun(ALL, base.reason);
    return undefined;
  }
  const minutes = async (work: () => void) => {
    const began = Date.now();
    work();
    return `${((Date.now() - began) / 60_000).toFixed(1)} minutes`;
  };
  const tools = await table.try("the Dockerfile's target tools is built, in a chroot", async () => {
    const took = await minutes(() => engine.build("tools"));
    return `${took}; base: ${base.from}`;
  });
  if (!tools) return undefined;
  const built = await table.try("its target app is built, without packages or sources", async () => {
    const took = await minutes(() => engine.build("app"));
    const files = engine.start("wallet-app", {}, ["--rm"], "ls", "-a", "/app");
    assert.doesNotMatch(files, /^(app|lib|prisma|scripts|package-lock\.json|\.git|\.env.*)$/m);
    return `${took}; ${engine.size("wallet-app")}`;
  });
  if (!built) return undefined;
  await table.try("npm run migrate in the image of the tools", async () => {
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
  const served = await table.try("it serves as the user node, on a read-only file system", async () => {
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
  await table.try("its health check", () => {
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

const BASE = "docker.io/library/node:24-bookworm-slim";
/** The authorities that this machine trusts. */
const TRUSTED = "/etc/ssl/certs/ca-certificates.crt";

/** Debian by debootstrap, with this Node and npm and the user `node`, as a tar. */
function packedDebian(folder: string): string {
  const root = join(folder, "rootfs");
  execFileSync("debootstrap", ["--variant=minbase", "bookworm", root], { stdio: "ignore" });
  execFileSync("chroot", [root, "useradd", "--uid", "1000", "--create-home", "node"], { stdio: "ignore" });
  cpSync(process.execPath, join(root, "usr/local/bin/node"));
  const npm = execFileSync("sh", ["-c", 'readlink -f "$(which npm)"'], { encoding: "utf8" }).trim();
  mkdirSync(join(root, "usr/local/lib/node_modules"), { recursive: true });
  cpSync(dirname(dirname(npm)), join(root, "usr/local/lib/node_modules/npm"), { recursive: true });
  for (const name of ["npm", "npx"]) {
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(root, "usr/local/bin", name));
  }
  if (existsSync(TRUSTED)) {
    mkdirSync(join(root, dirname(TRUSTED)), { recursive: true });
    cpSync(TRUSTED, join(root, TRUSTED), { dereference: true });
  }
  const packed = join(folder, "base.tar");
  execFileSync("tar", ["-C", root, "-cf", packed, "."]);
  return packed;
}

/** An engine with a separate store, which is thrown away. */
class Engine {
  private constructor(
    private readonly folder: string,
    private readonly options: string[],
    private readonly ulimits: string[],
  ) {}

  /** The engine, or why there is none. */
  static open(folder: string): Engine | string {
    if (process.getuid?.() !== 0) return "only root builds here";
    for (const program of ["podman", "runc", "catatonit"]) {
      if (!onPath(program)) return `${program} is not installed (apt-get install podman runc catatonit)`;
    }
    const options = ["--root", join(folder, "store"), "--runroot", join(folder, "run"), "--runtime", "runc"];
    // A nested machine may not raise limits above its own.
    const most = execFileSync("sh", ["-c", "ulimit -Hn"], { encoding: "utf8" }).trim();
    return new Engine(folder, options, [`--ulimit=nofile=${most}:${most}`, "--ulimit=nproc=4096:4096"]);
  }

  /** Ends what runs and lets go of the store, so that its folder can be removed. */
  close(): void {
    this.run("rm", "--force", "--all", "--time", "10");
    const mounts = readFileSync("/proc/mounts", "utf8")
      .split("\n")
      .map((line) => line.split(" ")[1] ?? "");
    for (const mount of mounts.filter((one) => one.startsWith(`${this.folder}/`)).reverse()) {
      execFileSync("umount", ["-l", mount], { stdio: "ignore" });
    }
  }

  /** Runs the engine. Answers what it printed; throws with it on failure. */
  run(...args: string[]): string {
    try {
      const options = { encoding: "utf8", maxBuffer: 2 ** 28 } as const;
      return execFileSync("podman", [...this.options, ...args], options);
    } catch (error) {
      const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
      throw new Error(`podman ${args[0]}:\n${`${stdout}${stderr}`.slice(-3_000)}`);
    }
  }

  /**
   * Makes the base image available: from its registry, or else Debian with this Node and npm under the same name, from a
   * packed file system (CONTAINER_BASE, a tar) or by debootstrap. Answers which, or why none.
   */
  base(folder: string): { from: string } | { reason: string } {
    const given = process.env.CONTAINER_BASE;
    if (this.run("images", "--quiet", BASE)) return { from: "kept" };
    try {
      if (given) throw new Error("a base is named");
      this.run("pull", "--quiet", BASE);
      return { from: BASE };
    } catch {
      if (!given && !onPath("debootstrap"))
        return { reason: "no registry is reachable, and debootstrap is not installed" };
    }
    // This machine may be behind a proxy with a private authority. Then the image's npm must know that
    // authority, too.
    const trust = existsSync(TRUSTED) ? ["--change", `ENV NODE_EXTRA_CA_CERTS=${TRUSTED}`] : [];
    this.run("import", ...trust, given ?? packedDebian(folder), BASE);
    return { from: given ? `${given}` : "Debian by debootstrap with this Node" };
  }

  /** The size of an image, in megabytes. */
  size(image: string): string {
    const bytes = Number(this.run("image", "inspect", "--format", "{{.Size}}", image));
    return `${Math.round(bytes / 1_000_000)} MB`;
  }

  /** Builds a target of the Dockerfile, without privileges. */
  build(target: string): void {
    const how = ["--format=docker", "--isolation=chroot", "--network=host", "--pull=never"];
    this.run("build", ...how, ...this.ulimits, "--target", target, "--tag", `wallet-${target}`, projectRoot);
  }

  /** `run` of an image on this machine's network: as the image's user, read-only, without any capability. */
  start(image: string, env: Record<string, string>, flags: string[], ...command: string[]): string {
    const settings = Object.entries(env).map(([name, value]) => `--env=${name}=${value}`);
    const bounds = ["--network=host", "--read-only", "--cap-drop=all", "--security-opt=no-new-privileges"];
    return this.run("run", ...bounds, ...this.ulimits, ...flags, ...settings, image, ...command);
  }
}
