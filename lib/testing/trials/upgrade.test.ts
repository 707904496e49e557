import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { verifyAudits } from "@/lib/audit/check-audits";
import { verifyMerchant } from "@/lib/ledger/verify";
import { DEMO_PASSWORD } from "@/prisma/seed/people";
import { ensureBuild } from "@/scripts/lib/build";
import { folderUntilEnd, projectRoot, untilEnd } from "@/scripts/lib/command";
import { migrate, pendingMigrations } from "@/scripts/lib/migrate";
import { withDb } from "@/scripts/lib/with-db";
import { outputOf } from "@/scripts/postgres/guarded";
import { connected, startPostgres } from "@/scripts/postgres/server";
import { auditBooks } from "./faults/books";
import { Load, postJson, type Shop } from "./faults/load";
import { Servers } from "./faults/program";

type Settings = Record<string, string>;
const CLIENTS = 8;
const CUSTOMERS = 50;
/** Postings of each step, at least. */
const POSTINGS = Number(process.env.POSTINGS ?? 150);
/** The longest silence of a step, in milliseconds, that still counts as held. */
const PATIENCE = 10_000;
const DRAIN_SECONDS = 30;

const git = (...args: string[]) =>
  execFileSync("git", args, { cwd: projectRoot, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();

/** The files that `npm run migrate` applies. */
const SQL = ["migrations", "functions", "views", "triggers", "grants.sql"].map((part) => `prisma/${part}`);

/**
 * The commit that runs before the upgrade: UPGRADE_FROM, or the newest on the main line whose SQL differs from today's.
 * Undefined if the history has no such commit.
 */
function commitBefore(): string | undefined {
  const named = process.env.UPGRADE_FROM;
  try {
    if (named) return git("rev-parse", "--verify", `${named}^{commit}`);
    if (git("status", "--porcelain", "--", ...SQL)) return git("rev-parse", "HEAD");
    const last = git("log", "--first-parent", "-1", "--format=%H", "--", ...SQL);
    return git("rev-parse", "--verify", "--quiet", `${last}^1`);
  } catch {
    return undefined;
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
  if (!hasPackagesOf(folder)) {
    execFileSync("npm", ["ci", "--include=dev", "--no-audit", "--no-fund"], { cwd: folder, stdio: "ignore" });
    return;
  }
  // Another file system has no hard links to this one.
  const copy = 'cp -al "$0" "$1" || { rm -rf "$1"; cp -a "$0" "$1"; }';
  execFileSync("sh", ["-c", copy, join(projectRoot, "node_modules"), join(folder, "node_modules")], {
    stdio: "ignore",
  });
}

/** Runs a script of that version on this Node. Answers what it printed; throws it when the script fails. */
const runThere = (folder: string, args: string[], env: Settings = {}): Promise<string> =>
  outputOf(`yesterday's ${args[0]}`, process.execPath, ["--import", "tsx", ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
  });

/** Unpacks an older commit into the folder and builds it there, unless a run before did (UPGRADE_KEEP). */
async function buildThere(commit: string, folder: string): Promise<void> {
  if (existsSync(join(folder, ".next/built-from"))) return;
  mkdirSync(folder, { recursive: true });
  git("archive", "--format=tar", `--output=${folder}.tar`, commit);
  execFileSync("tar", ["-xf", `${folder}.tar`, "-C", folder]);
  linkPackages(folder);
  await runThere(folder, ["scripts/build.ts"]);
}

/** Fills the database with the demo's data and a shop for the load, as that version wrote them. */
async function fillThere(folder: string, settings: Settings): Promise<Shop> {
  const program = `
    import { createDb } from "./lib/db/client";
    import { tokenOf } from "./lib/testing/calls";
    import { makeCustomer, makeMerchant, makeWorker } from "./lib/testing/factories";
    import { seed } from "./scripts/lib/demo-data";
    const run = async () => {
      await seed(process.env.DATABASE_URL);
      const db = createDb(process.env.DATABASE_URL, 4);
      const shop = await makeMerchant(db);
      const made = { merchantId: shop.merchant.id, branchId: shop.branch.id, customers: [], tokens: [], image: "" };
      for (let nth = 0; nth < ${CUSTOMERS}; nth++) made.customers.push((await makeCustomer(db, shop)).id);
      for (let nth = 0; nth < ${CLIENTS}; nth++) made.tokens.push(await tokenOf(db, await makeWorker(db, shop)));
      console.log(JSON.stringify(made));
      process.exit(0);
    };
    void run();`;
  const printed = await runThere(folder, ["--eval", program], { APP_ENV: "test", ...settings });
  return JSON.parse(printed.trim().split("\n").at(-1) ?? "") as Shop;
}

/** The demo's accounts, one of each role. */
const ACCOUNTS = ["super@wallet.test", "admin@wallet.test", "owner@karak.test", "worker@karak.test"];
/** Milliseconds: a reading that takes longer counts as unanswered. */
const READ_PATIENCE = 30_000;

type Document = { paths: Record<string, { get?: unknown }> };

/** Answers a function that makes every call of the API that only reads and needs no id, with each role, at each server. */
async function readerOf(load: Load, url: string): Promise<() => Promise<undefined>> {
  const tokens: string[] = [];
  for (const sEmail of ACCOUNTS) {
    const { status, text } = await postJson(`${url}/api/auth/login`, { sEmail, sPassword: DEMO_PASSWORD });
    const { data } = JSON.parse(text) as { data?: { token: string } };
    // Without a token every reading would be refused, and nothing could be found.
    if (!data) throw new Error(`${sEmail} was not signed in: ${status}`);
    tokens.push(data.token);
  }
  const { paths } = (await (await fetch(`${url}/api/openapi.json`)).json()) as Document;
  const readable = Object.entries(paths).filter(([path, { get }]) => get && !/[{]|cron/.test(path));
  const addresses = readable.map(([path]) => (path.startsWith("/api") ? path : `/api${path}`));
  return async () => {
    for (const path of [...addresses, "/login"])
      await Promise.all(tokens.map((authorization) => load.look(path, READ_PATIENCE, { authorization })));
  };
}

/** Two servers of an older version, whose clients begin to post. UPGRADE_KEEP, a folder, keeps its build. */
async function openStage(commit: string) {
  await ensureBuild();
  const folder = folderUntilEnd("upgrade");
  console.log(`Building the version before, ${commit.slice(0, 9)} …`);
  const there = join(process.env.UPGRADE_KEEP || folder, commit);
  await buildThere(commit, there);
  const dataDir = join(folder, "data");
  const postgres = await untilEnd(startPostgres({ dataDir, throwaway: true }));
  const [ownerUrl, url] = [postgres.ownerUrl(), postgres.url()];
  await runThere(there, ["scripts/migrate.ts"], { DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl });
  const settings = { DATABASE_URL: url, AUTH_SECRET: randomBytes(32).toString("hex") };
  const shop = await fillThere(there, { ...settings, DATABASE_URL: ownerUrl, DATA_DIR: dataDir });
  const free =
    "update merchants set redeem_allowance = 1000000000, unproved_worker_daily = 1000000000 where id = $1";
  await connected(ownerUrl, (client) => client.query(free, [shop.merchantId]));
  /** The servers that take part, the oldest first. */
  const rotation: Servers[] = [];
  const serve = async (built?: string) =>
    void rotation.push(await untilEnd(Servers.open(dataDir, 1, settings, built)));
  const standalone = join(there, ".next/standalone");
  await serve(standalone);
  await serve(standalone);
  const urls = () => rotation.flatMap((server) => server.urls);
  const load = new Load(urls, shop);
  const read = await readerOf(load, urls()[0] ?? "");
  return { ownerUrl, url, rotation, serve, load, read };
}

/** SIGTERM; the server must end by itself. Answers the seconds it took. */
async function drain(server: Servers): Promise<number> {
  const began = performance.now();
  const late = pause(DRAIN_SECONDS * 1_000, "late", { ref: false });
  expect(await Promise.race([server.killServer(0, "SIGTERM"), late])).not.toBe("late");
  return (performance.now() - began) / 1_000;
}

/** Tests of an upgrade, in their order: clients post meanwhile. */
async function upgradeFrom(commit: string): Promise<void> {
  const { ownerUrl, url, rotation, serve, load, read } = await openStage(commit);
  const old = [...rotation];
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
  const posting = load.run(POSTINGS, () => isOver);

  const step = (name: string, work: () => Promise<string | undefined>) =>
    test(name, async () => {
      const [before, refused] = [load.acknowledged, load.statuses.get(503) ?? 0];
      load.takeSilence();
      const remark = await work();
      await load.reach(before + POSTINGS);
      const silence = load.takeSilence();
      const counts = `${load.acknowledged - before} acked, ${(load.statuses.get(503) ?? 0) - refused} times 503`;
      console.log([`${name}: ${counts}, ${silence} ms of silence`, remark].filter(Boolean).join("; "));
      expect(silence, "longest silence, in ms").toBeLessThanOrEqual(PATIENCE);
    });

  step("yesterday's two servers, yesterday's database", read);
  step("today's migrations under load", async () => {
    const pending = await pendingMigrations(ownerUrl);
    await migrate(ownerUrl, { application: url });
    return `${pending.length} migrations`;
  });
  step("yesterday's servers, today's database", read);
  for (const [index, leaving] of old.entries()) {
    step(`today's server ${index + 1} starts and takes part`, async () => {
      await serve();
      return read();
    });
    step(`yesterday's server ${index + 1} is drained`, async () => {
      rotation.shift();
      return `it ended after ${(await drain(leaving)).toFixed(1)} s`;
    });
  }
  step("today's servers alone", read);

  test("nothing lost, and refused with 503 and Retry-After only", async ({ task: { name } }) => {
    end();
    await posting;
    for (const server of [...old, ...rotation]) server.explain([...load.senseless.keys()].join("\n"));
    const remark = `answers by status: ${JSON.stringify(Object.fromEntries(load.statuses))}`;
    await auditBooks(ownerUrl, load, { name, patience: PATIENCE, remark });
    expect(load.statuses.get(0), "requests without an answer").toBeUndefined();
    await withDb(ownerUrl, async (db) => {
      for (const { id } of await db.merchant.findMany({ select: { id: true }, take: 100 }))
        expect((await verifyMerchant(db, id)).firstWrong).toBeNull();
      expect((await verifyAudits(db)).wrong).toBeNull();
      const failed = await db.$queryRaw`
        select task_identifier as task, left(last_error, 200) as error from graphile_worker.jobs
        where last_error is not null limit 5`;
      expect(failed, "jobs that failed").toEqual([]);
    });
  });
}

// Two servers of an older version serve under load while the database is migrated; today's servers start beside them, take
// over one by one, and the old ones are drained.
const commit = commitBefore();
if (commit) await upgradeFrom(commit);
else {
  const reason =
    "there is no git history with an older version (a shallow clone, or UPGRADE_FROM is unknown)";
  test("an upgrade", ({ skip }) => skip(reason));
}
