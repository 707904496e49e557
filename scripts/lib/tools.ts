import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Answers the path of a program on PATH, or undefined. */
export function onPath(name: string): string | undefined {
  const files = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, name));
  return files.find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

const browsers = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** A Chromium for the tests in a browser: CHROMIUM_PATH, or one that is installed. */
export function findChromium(): string | undefined {
  const named = process.env.CHROMIUM_PATH;
  if (named) return existsSync(named) ? named : undefined;
  return browsers.map(onPath).find((found) => found !== undefined);
}

/** Chromium's headless shell does a fifth less work. Undefined without it, or with another CHROMIUM_PATH. */
export const findHeadlessShell = (): string | undefined =>
  process.env.CHROMIUM_PATH ? undefined : onPath("chromium-headless-shell");

/** The Debian packages with which the tests read the product's output, each with what it brings, if that is there. */
const needed: Record<string, () => string | undefined> = {
  chromium: findChromium,
  "poppler-utils": () => onPath("pdftoppm"),
  "zbar-tools": () => onPath("zbarimg"),
  openssl: () => onPath("openssl"),
  unzip: () => onPath("unzip"),
};

/** Servers that some tests put in front of Postgres. Debian has them where an ordinary user's PATH does not look. */
export type ProxyName = "pgbouncer" | "haproxy";
export function findProxy(name: ProxyName): string | undefined {
  const usual = join("/usr/sbin", name);
  return onPath(name) ?? (existsSync(usual) ? usual : undefined);
}

/** Installs those of these servers that the machine lacks. Answers the ones that it still lacks. */
export function ensureProxies(...names: ProxyName[]): ProxyName[] {
  const missing = names.filter((name) => !findProxy(name));
  if (missing.length > 0) install(missing, 30);
  return missing.filter((name) => !findProxy(name));
}

function aptGet(...args: string[]): void {
  const line = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq", ...args];
  const [program = "", ...rest] = process.getuid?.() === 0 ? line : ["sudo", "-n", ...line];
  execFileSync(program, rest, { stdio: ["ignore", "ignore", "pipe"] });
}

/** Installs packages. Answers whether it could; a server of Debian's may be silent for `patience` seconds. */
function install(packages: string[], patience: number): boolean {
  console.log(`Installing ${packages.join(", ")} …`);
  try {
    const waits = [`-oAcquire::http::Timeout=${patience}`, `-oAcquire::Retries=${patience > 30 ? 3 : 0}`];
    aptGet(...waits, "update");
    aptGet(...waits, "install", "-y", "--no-install-recommends", ...packages);
    return true;
  } catch (error) {
    console.log(error instanceof Error ? error.message : String(error));
    return false;
  }
}

/** Installs what the tests need and the machine lacks (Debian, as root or by sudo). Throws with what to install by hand. */
export function ensureTools(): void {
  const missing = Object.keys(needed).filter((aptPackage) => !needed[aptPackage]?.());
  const lacksShell = !process.env.CHROMIUM_PATH && findHeadlessShell() === undefined;
  const wanted = lacksShell ? ["chromium-headless-shell"] : [];
  if (missing.length + wanted.length === 0) return;
  // Without the shell the tests only take longer.
  if (wanted.length > 0 && install([...missing, ...wanted], missing.length > 0 ? 120 : 10)) return;
  if (missing.length === 0 || install(missing, 120)) return;
  throw new Error(`The tests need these programs; install them, then run again: ${missing.join(", ")}`);
}
