import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { atEnd, projectRoot } from "@/scripts/lib/command";
import { onPath } from "@/scripts/lib/tools";

type Service = {
  environment?: Record<string, string | null>;
  read_only?: boolean;
  tmpfs?: string[];
  ports?: string[];
  depends_on?: string[] | Record<string, unknown>;
  configs?: { source: string }[];
};
type Settings = Record<string, string>;

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

/** An engine with a separate store in this folder. */
export class Engine {
  private readonly options: string[];
  private readonly ulimits: string[];

  constructor(private readonly folder: string) {
    this.options = ["--root", join(folder, "store"), "--runroot", join(folder, "run"), "--runtime", "runc"];
    // A nested machine may not raise limits above its own.
    const most = execFileSync("sh", ["-c", "ulimit -Hn"], { encoding: "utf8" }).trim();
    this.ulimits = [`--ulimit=nofile=${most}:${most}`, "--ulimit=nproc=4096:4096"];
  }

  /**
   * Makes the base image available: from its registry, or else Debian with this Node and npm under the same name, from a
   * packed file system (CONTAINER_BASE, a tar) or by debootstrap. Answers why it cannot, or undefined.
   */
  prepare(): string | undefined {
    if (process.getuid?.() !== 0) return "only root builds here";
    const missing = ["podman", "runc", "catatonit"].filter((program) => !onPath(program));
    if (missing.length > 0) return `not installed: apt-get install ${missing.join(" ")}`;
    mkdirSync(this.folder, { recursive: true });
    atEnd(() => this.close());
    const given = process.env.CONTAINER_BASE;
    if (this.run("images", "--quiet", BASE)) return undefined;
    try {
      if (given) throw new Error("a base is named");
      this.run("pull", "--quiet", BASE);
      return undefined;
    } catch {
      if (!given && !onPath("debootstrap"))
        return "no registry is reachable, and debootstrap is not installed";
    }
    // This machine may be behind a proxy with a private authority. Then the image's npm must know that
    // authority, too.
    const trust = existsSync(TRUSTED) ? ["--change", `ENV NODE_EXTRA_CA_CERTS=${TRUSTED}`] : [];
    this.run("import", ...trust, given ?? packedDebian(this.folder), BASE);
    console.log(`base: ${given ?? "Debian by debootstrap with this Node"}`);
    return undefined;
  }

  /** Ends what runs and lets go of the store, so that its folder can be removed. */
  close(): void {
    this.run("rm", "--force", "--all", "--time", "10");
    const mounts = readFileSync("/proc/mounts", "utf8")
      .split("\n")
      .map((line) => line.split(" ")[1] ?? "");
    for (const mount of mounts.filter((one) => one.startsWith(`${this.folder}/`)).reverse()) {
      // The engine may have let go of it meanwhile.
      spawnSync("umount", ["-l", mount], { stdio: "ignore" });
    }
  }

  /** Runs the engine. Answers what it printed; throws with it on failure. */
  run(...args: string[]): string {
    try {
      const options = { encoding: "utf8", stdio: "pipe", maxBuffer: 2 ** 28 } as const;
      return execFileSync("podman", [...this.options, ...args], options);
    } catch (error) {
      const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
      throw new Error(`podman ${args[0]}:\n${`${stdout}${stderr}`.slice(-3_000)}`);
    }
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
