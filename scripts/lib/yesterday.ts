import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Shop } from "../faults/load";
import { outputOf } from "../postgres/guarded";
import { projectRoot } from "./project";

const git = (...args: string[]) =>
  execFileSync("git", args, { cwd: projectRoot, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();

/** The files that `npm run migrate` applies. */
const SQL = ["migrations", "functions", "views", "triggers", "grants.sql"].map((part) => `prisma/${part}`);

/**
 * Answers the commit that runs before the upgrade: UPGRADE_FROM, or the newest on the main line whose SQL
 * differs from today's. Throws if the history has no such commit.
 */
export function commitBefore(): string {
  const named = process.env.UPGRADE_FROM;
  if (named) return git("rev-parse", "--verify", `${named}^{commit}`);
  if (git("status", "--porcelain", "--", ...SQL)) return git("rev-parse", "HEAD");
  const last = git("log", "--first-parent", "-1", "--format=%H", "--", ...SQL);
  return git("rev-parse", "--verify", "--quiet", `${last}^1`);
}

/** A working copy of an older commit, with its packages and its build. Its own scripts do what touches its database. */
export class Yesterday {
  private constructor(
    private readonly folder: string,
    /** Whether that version knew a role of the application. */
    readonly hasRoles: boolean,
  ) {}

  /** Unpacks the commit into the folder and builds it there, unless a run before did (UPGRADE_KEEP). */
  static async prepare(commit: string, folder: string): Promise<Yesterday> {
    const roles = () => existsSync(join(folder, "scripts/lib/roles.ts"));
    if (existsSync(join(folder, ".next/built-from"))) return new Yesterday(folder, roles());
    mkdirSync(folder, { recursive: true });
    git("archive", "--format=tar", `--output=${folder}.tar`, commit);
    execFileSync("tar", ["-xf", `${folder}.tar`, "-C", folder]);
    linkPackages(folder);
    const yesterday = new Yesterday(folder, roles());
    await yesterday.run(["scripts/build.ts"]);
    return yesterday;
  }

  /** The folder of its standalone server. */
  get server(): string {
    return join(this.folder, ".next/standalone");
  }

  /** Brings an empty database to where it was that day. */
  async migrate(ownerUrl: string, url: string): Promise<void> {
    const application = this.hasRoles ? url : ownerUrl;
    await this.run(["scripts/migrate.ts"], { DATABASE_URL: application, DATABASE_OWNER_URL: ownerUrl });
  }

  /** Fills the database with the demo's data and a shop for the load, as that version wrote them. */
  async fill(settings: Record<string, string>, workers: number, customers: number): Promise<Shop> {
    const program = `
      import { createDb } from "./lib/db/client";
      import { makeCustomer, makeMerchant, makeWorker } from "./lib/testing/factories";
      import { seed } from "./scripts/lib/demo-data";
      const run = async () => {
        await seed(process.env.DATABASE_URL);
        const db = createDb(process.env.DATABASE_URL, 4);
        const shop = await makeMerchant(db);
        const made = { merchantId: shop.merchant.id, branchId: shop.branch.id, customers: [], workers: [], image: "" };
        for (let nth = 0; nth < ${customers}; nth++) made.customers.push((await makeCustomer(db, shop)).id);
        for (let nth = 0; nth < ${workers}; nth++) made.workers.push((await makeWorker(db, shop)).email);
        console.log(JSON.stringify(made));
        process.exit(0);
      };
      void run();`;
    const printed = await this.run(["--eval", program], { APP_ENV: "test", ...settings });
    return JSON.parse(printed.trim().split("\n").at(-1) ?? "") as Shop;
  }

  /** Runs a script of that version on this Node. Answers what it printed; throws it when the script fails. */
  private run(args: string[], env: Record<string, string> = {}): Promise<string> {
    return outputOf(`yesterday's ${args[0]}`, process.execPath, ["--import", "tsx", ...args], {
      cwd: this.folder,
      env: { ...process.env, ...env },
    });
  }
}

type Locked = Record<string, { version?: string; integrity?: string }>;

const locked = (folder: string): Locked =>
  (JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")) as { packages: Locked }).packages;

/** Whether today's packages hold each of that version's, as it was. */
function hasPackagesOf(folder: string): boolean {
  const today = locked(projectRoot);
  return Object.entries(locked(folder)).every(
    ([path, { version, integrity }]) =>
      path === "" || (today[path]?.version === version && today[path]?.integrity === integrity),
  );
}

/** The packages of that version: today's, linked or else copied, where they hold all of it; else installed. */
function linkPackages(folder: string): void {
  const [from, to] = [join(projectRoot, "node_modules"), join(folder, "node_modules")];
  if (!hasPackagesOf(folder)) {
    execFileSync("npm", ["ci", "--include=dev", "--no-audit", "--no-fund"], { cwd: folder, stdio: "ignore" });
    return;
  }
  try {
    execFileSync("cp", ["-al", from, to], { stdio: "ignore" });
  } catch {
    // Another file system has no hard links to this one.
    execFileSync("rm", ["-rf", to]);
    execFileSync("cp", ["-a", from, to]);
  }
}
