import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Where a program stands on the path, or undefined. */
export function onPath(name: string): string | undefined {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const file = join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not in this folder.
    }
  }
  return undefined;
}

const browsers = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** A Chromium for the tests in a browser: CHROMIUM_PATH, or one that is installed. */
export function findChromium(): string | undefined {
  const named = process.env.CHROMIUM_PATH;
  if (named) return existsSync(named) ? named : undefined;
  for (const name of browsers) {
    const found = onPath(name);
    if (found) return found;
  }
  return undefined;
}

/** What the tests look at the program's output with: a program, and Debian's package that has it. */
const needed: { has: () => boolean; aptPackage: string }[] = [
  { has: () => findChromium() !== undefined, aptPackage: "chromium" },
  { has: () => onPath("pdftoppm") !== undefined, aptPackage: "poppler-utils" },
  { has: () => onPath("zbarimg") !== undefined, aptPackage: "zbar-tools" },
  { has: () => onPath("openssl") !== undefined, aptPackage: "openssl" },
  { has: () => onPath("unzip") !== undefined, aptPackage: "unzip" },
];

/** Installs what the tests need and the machine lacks (Debian, as root or by sudo). Throws with what to install by hand. */
export function ensureTools(): void {
  const missing = needed.filter(({ has }) => !has()).map(({ aptPackage }) => aptPackage);
  if (missing.length === 0) return;
  console.log(`Installing ${missing.join(", ")} …`);
  const root = process.getuid?.() === 0;
  const apt = (...args: string[]) => {
    const line = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", ...args];
    const [program = "", ...rest] = root ? line : ["sudo", "-n", ...line];
    execFileSync(program, rest, { stdio: ["ignore", "ignore", "inherit"] });
  };
  try {
    apt("update", "-qq");
    apt("install", "-y", "-qq", "--no-install-recommends", ...missing);
  } catch {
    throw new Error(`The tests need these programs; install them, then run again: ${missing.join(", ")}`);
  }
}
