import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { projectRoot } from "../lib/project";
import { onPath } from "../lib/tools";

const BASE = "docker.io/library/node:24-bookworm-slim";
/** A nested machine may not raise limits above its own. */
const limit = () => execFileSync("sh", ["-c", "ulimit -Hn"], { encoding: "utf8" }).trim();

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
export class Engine {
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
    const most = limit();
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

  private has(image: string): boolean {
    try {
      this.run("image", "exists", image);
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Makes the base image available: from its registry, or else Debian with this Node and npm under the same name, from a
   * packed file system (CONTAINER_BASE, a tar) or by debootstrap. Answers which, or why none.
   */
  base(folder: string): { from: string } | { reason: string } {
    const given = process.env.CONTAINER_BASE;
    if (this.has(BASE)) return { from: "kept" };
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
    const how = [
      "--format",
      "docker",
      "--isolation",
      "chroot",
      "--network",
      "host",
      "--pull=never",
      ...this.ulimits,
    ];
    this.run("build", ...how, "--target", target, "--tag", `wallet-${target}`, projectRoot);
  }

  /** `run` of an image on this machine's network: as the image's user, read-only, without any capability. */
  start(image: string, env: Record<string, string>, flags: string[], ...command: string[]): string {
    const settings = Object.entries(env).map(([name, value]) => `--env=${name}=${value}`);
    const bounds = ["--network=host", "--read-only", "--cap-drop=all", "--security-opt=no-new-privileges"];
    return this.run("run", ...bounds, ...this.ulimits, ...flags, ...settings, image, ...command);
  }
}
