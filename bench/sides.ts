import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { atEnd, projectRoot } from "@/scripts/lib/command";
import { freePort } from "@/scripts/postgres/port";
import { connected, ensureDatabase, type Postgres } from "@/scripts/postgres/server";
import { makeSessions, type Sessions } from "./sessions";

/** A version of the program that is measured: its server, and its database as the application's role and as the owner. */
export type Side = {
  name: string;
  commit: string;
  base: string;
  pid: number;
  url: string;
  ownerUrl: string;
  hasActors: boolean;
  sessions: Sessions;
};
export type Size = { customers: number; movements: number };

const git = (...args: string[]): string =>
  execFileSync("git", args, { cwd: projectRoot, encoding: "utf8" }).trim();

/** The folder of a commit beside this checkout, with its packages. It is kept, since its build takes minutes. */
export function checkoutOf(ref: string): { folder: string; commit: string } {
  const commit = git("rev-parse", "--short", `${ref}^{commit}`);
  const folder = join(tmpdir(), `wallet-bench-${commit}`);
  if (!existsSync(folder)) git("worktree", "add", "--detach", folder, commit);
  if (!existsSync(join(folder, "node_modules"))) {
    const lock = (root: string) => readFileSync(join(root, "package-lock.json"), "utf8");
    if (lock(folder) === lock(projectRoot)) {
      execFileSync("cp", ["-al", join(projectRoot, "node_modules"), folder]);
    } else {
      execFileSync("npm", ["ci", "--include=dev", "--no-audit", "--no-fund"], {
        cwd: folder,
        stdio: "inherit",
      });
    }
  }
  // An installation brings no client of the database, and the programs that would make it import it first.
  if (!existsSync(join(folder, "lib/db/generated"))) {
    execFileSync(process.execPath, [join(folder, "node_modules/prisma/build/index.js"), "generate"], {
      cwd: folder,
      // Any program that exists will do: no engine is started.
      env: { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: "1" },
      stdio: "inherit",
    });
  }
  return { folder, commit };
}

export const thisCheckout = () => ({ folder: projectRoot, commit: git("rev-parse", "--short", "HEAD") });

/** Builds, fills and serves a checkout on a database of its own. It ends with this process. */
export async function startSide(
  name: string,
  { folder, commit }: { folder: string; commit: string },
  postgres: Postgres,
  dataDir: string,
  size: Size,
): Promise<Side> {
  const database = `bench_${commit}_${name.length}`;
  const ownerUrl = postgres.ownerUrl(database);
  await ensureDatabase(postgres.ownerUrl("postgres"), database);
  // The first versions had one role for everything.
  const url = existsSync(join(folder, "prisma/grants.sql")) ? postgres.url(database) : ownerUrl;
  const port = await freePort();
  const secret = randomBytes(32).toString("hex");
  const base = `http://127.0.0.1:${port}`;
  const own = join(dataDir, database);
  mkdirSync(own);
  const script = join(projectRoot, "bench/side.ts");
  const child = spawn(
    process.execPath,
    [
      ...["--import", "tsx", script],
      ...[ownerUrl, url, String(port), String(size.customers), String(size.movements)],
    ],
    {
      cwd: folder,
      env: {
        ...process.env,
        APP_ENV: "test",
        APP_URL: base,
        AUTH_SECRET: secret,
        DATABASE_URL: url,
        DATA_DIR: own,
      },
      stdio: ["pipe", "pipe", "inherit"],
    },
  );
  const gone = new Promise<never>((_, fail) =>
    child.once("close", (code) => fail(new Error(`${name} ended with ${code}`))),
  );
  gone.catch(() => {});
  atEnd(async () => {
    child.stdin.end();
    await gone.catch(() => {});
  });
  const line = await Promise.race([
    gone,
    new Promise<string>((done) => createInterface(child.stdout).once("line", done)),
  ]);
  const { pid, hasActors } = JSON.parse(line) as { pid: number; hasActors: boolean };
  await connected(ownerUrl, (client) => client.query("checkpoint"));
  const sessions = await makeSessions(ownerUrl, secret);
  return { name, commit, base, pid, url, ownerUrl, hasActors, sessions };
}

/** Throws away the receipts that still wait: making and sending them would slow down what is measured next. */
export async function dropWaiting({ ownerUrl }: Side): Promise<void> {
  await connected(ownerUrl, async (client) => {
    // The first versions had no outbox of postings.
    const { rows } = await client.query("select to_regclass('posting_outbox') is not null as exists");
    if (rows[0]?.exists) await client.query("delete from posting_outbox");
    await client.query("delete from graphile_worker._private_jobs where locked_at is null");
    await client.query("delete from emails where status = 'queued'");
  });
}
