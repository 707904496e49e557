import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { verifyAudits } from "@/lib/audit/check-audits";
import { verifyMerchant } from "@/lib/ledger/verify";
import { auditBooks, Load, postJson, type Shop } from "@/lib/testing/trials/faults/load";
import { Servers } from "@/lib/testing/trials/faults/program";
import { Table } from "@/lib/testing/trials/trials";
import { DEMO_PASSWORD } from "@/prisma/seed/people";
import { ensureBuild } from "./lib/build";
import { folderUntilEnd, projectRoot, runCommand, untilEnd } from "./lib/command";
import { migrate, pendingMigrations } from "./lib/migrate";
import { withDb } from "./lib/with-db";
import { outputOf } from "./postgres/guarded";
import { connected, startPostgres } from "./postgres/server";

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
 * Answers the commit that runs before the upgrade: UPGRADE_FROM, or the newest on the main line whose SQL
 * differs from today's. Throws if the history has no such commit.
 */
function commitBefore(): string {
  const named = process.env.UPGRADE_FROM;
  if (named) return git("rev-parse", "--verify", `${named}^{commit}`);
  if (git("status", "--porcelain", "--", ...SQL)) return git("rev-parse", "HEAD");
  const last = git("log", "--first-parent", "-1", "--format=%H", "--", ...SQL);
  return git("rev-parse", "--verify", "--quiet", `${last}^1`);
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

/** SIGTERM; the server must end by itself. Answers the seconds it took. */
async function drain(server: Servers): Promise<number> {
  const began = Date.now();
  const late = pause(DRAIN_SECONDS * 1_000, undefined, { ref: false }).then(() => {
    throw new Error(`A server did not end in ${DRAIN_SECONDS} s`);
  });
  await Promise.race([server.killServer(0, "SIGTERM"), late]);
  return (Date.now() - began) / 1_000;
}

/** Answers the faults in the answers, the books, the audit log and the queue, a line each. */
async function wrongAfter(ownerUrl: string, load: Load): Promise<string[]> {
  const books = await auditBooks(ownerUrl, load);
  const wrong = [...books.wrong];
  const unanswered = load.statuses.get(0) ?? 0;
  if (unanswered > 0) wrong.push(`${unanswered} requests got no answer`);
  if (books.lost + books.doubled > 0) wrong.push(`${books.lost} lost, ${books.doubled} doubled`);
  console.log(
    `  ${books.acknowledged} acknowledged, ${books.found} found, ${books.lost} lost, ${books.doubled} doubled`,
  );
  await withDb(ownerUrl, async (db) => {
    for (const { id } of await db.merchant.findMany({ select: { id: true }, take: 100 })) {
      const { firstWrong } = await verifyMerchant(db, id);
      if (firstWrong) wrong.push(JSON.stringify(firstWrong));
    }
    const audits = await verifyAudits(db);
    if (audits.wrong) wrong.push(`the audit log: ${JSON.stringify(audits.wrong)}`);
    const failed = await db.$queryRaw<{ task: string; error: string }[]>`
      select task_identifier as task, left(last_error, 200) as error from graphile_worker.jobs
      where last_error is not null limit 5`;
    wrong.push(...failed.map(({ task, error }) => `the job ${task} failed: ${error}`));
  });
  return wrong;
}

// npm run test:upgrade: two servers of an older version (UPGRADE_FROM; UPGRADE_KEEP, a folder, keeps its build) serve under
// load while the database is migrated; today's servers start beside them, take over one by one, and the old ones are drained.
await runCommand(async () => {
  let commit: string;
  try {
    commit = commitBefore();
  } catch {
    console.log(
      "not run: there is no git history with an older version (a shallow clone, or UPGRADE_FROM is unknown)",
    );
    return 0;
  }
  await ensureBuild();
  const folder = folderUntilEnd("upgrade");
  console.log(`Building the version before, ${commit.slice(0, 9)} …`);
  const kept = process.env.UPGRADE_KEEP;
  const there = kept ? join(kept, commit) : join(folder, "yesterday");
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
  const servers: Servers[] = [];
  const serve = async (built?: string): Promise<Servers> => {
    const server = await untilEnd(Servers.open(dataDir, 1, settings, built));
    servers.push(server);
    return server;
  };
  const standalone = join(there, ".next/standalone");
  const old = [await serve(standalone), await serve(standalone)];
  let rotation = old.flatMap((server) => server.urls);
  const load = new Load(() => rotation, shop);
  const read = await readerOf(load, rotation[0] ?? "");

  const table = new Table(52, ["acked", "503", "silent ms"]);
  async function step(name: string, work: () => Promise<string | undefined>): Promise<void> {
    const [before, refused] = [load.acknowledged, load.statuses.get(503) ?? 0];
    load.takeSilence();
    const remark = await work();
    while (load.acknowledged < before + POSTINGS) await pause(20);
    const silence = load.takeSilence();
    const counts = [load.acknowledged - before, (load.statuses.get(503) ?? 0) - refused, silence];
    table.row(name, silence <= PATIENCE, counts, remark);
  }
  await load.run(POSTINGS, async () => {
    await step("yesterday's two servers, yesterday's database", read);
    await step("today's migrations under load", async () => {
      const pending = await pendingMigrations(ownerUrl);
      await migrate(ownerUrl, { application: url });
      return `${pending.length} migrations`;
    });
    await step("yesterday's servers, today's database", read);
    for (const [index, leaving] of old.entries()) {
      await step(`today's server ${index + 1} starts and takes part`, async () => {
        rotation = [...rotation, ...(await serve()).urls];
        return read();
      });
      await step(`yesterday's server ${index + 1} is drained`, async () => {
        rotation = rotation.filter((address) => !leaving.urls.includes(address));
        return `it ended after ${(await drain(leaving)).toFixed(1)} s`;
      });
    }
    await step("today's servers alone", read);
  });
  console.log(`  answers by status: ${JSON.stringify(Object.fromEntries(load.statuses))}`);
  const wrong = await wrongAfter(ownerUrl, load);
  for (const line of wrong) console.log(`  WRONG: ${line}`);
  for (const server of servers) server.explain(wrong.join("\n"));
  table.row("nothing lost, and refused with 503 and Retry-After only", wrong.length === 0);
  return table.end();
});
