import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { CASES, type Case } from "./failover/cases";
import { Cluster } from "./failover/cluster";
import { startHaproxy } from "./failover/haproxy";
import { auditBooks } from "./faults/books";
import { Load, openShop } from "./faults/load";
import { Outside } from "./faults/outside";
import { atPort, Servers } from "./faults/program";
import { ensureBuild } from "./lib/build";
import { atEnd, runCommand } from "./lib/ending";
import { migrate } from "./lib/migrate";
import { startPgBouncer } from "./lib/pgbouncer";
import { projectRoot } from "./lib/project";
import { ensureProxies } from "./lib/tools";
import { temporaryDataDir } from "./postgres/temporary";

const ROUNDS = Number(process.env.ROUNDS ?? (process.env.LONG === "1" ? 10 : 1));
/** Fifty postings a second: each client waits so many milliseconds after an answer. */
const [CLIENTS, PACE] = [10, 200];
const POSTINGS = 300;
/** Milliseconds after which writes must go on. */
const PATIENCE = 30_000;

type Stage = { cluster: Cluster; front: Outside; servers: Record<"direct" | "pooled", Servers> };

/** A primary with its standby behind HAProxy; two servers that reach it directly, and two through PgBouncer. */
async function openStage(folder: string): Promise<Stage> {
  const cluster = await Cluster.start(join(folder, "cluster"), (primary) =>
    migrate(primary.ownerUrl(), { application: primary.url() }),
  );
  atEnd(() => cluster.stop());
  const proxy = await startHaproxy(cluster.places);
  atEnd(() => proxy.stop());
  const front = await Outside.open(proxy.port);
  atEnd(() => front.close());
  const direct = atPort(cluster.primary.url(), front.port);
  const pooler = await startPgBouncer([direct]);
  atEnd(() => pooler.stop());
  const pooled = {
    DATABASE_URL: pooler.through(direct),
    DATABASE_DIRECT_URL: direct,
    DATABASE_POOLER: "transaction",
  };
  const servers = {
    direct: await Servers.open(join(folder, "direct"), 2, { DATABASE_URL: direct }),
    pooled: await Servers.open(join(folder, "pooled"), 2, pooled),
  };
  for (const one of Object.values(servers)) atEnd(() => one.stop());
  return { cluster, front, servers };
}

/** Plays a case under load, and prints what the clients lost. Answers whether it held. */
async function play({ cluster, front, servers }: Stage, one: Case): Promise<boolean> {
  const shop = await openShop(cluster.primary.ownerUrl(), CLIENTS, POSTINGS);
  const { urls } = one.isPooled ? servers.pooled : servers.direct;
  const load = new Load(() => urls, shop, { pace: PACE });
  let alone = 0;
  await load.run(POSTINGS, async () => {
    alone = await one.run({ cluster, front, load });
  });
  const books = await auditBooks(cluster.primary.ownerUrl(), load);
  const { lost, doubled, acknowledged, wrong } = books;
  const seconds = (ms: number) => (ms / 1_000).toFixed(1);
  const held = lost + doubled + wrong.length === 0 && load.longestSilence <= PATIENCE;
  const more = [`${acknowledged} postings`, ...(alone ? [`${alone.toFixed(1)} s without a standby`] : [])];
  console.log(
    `${one.name}: lost ${lost}, doubled ${doubled}, longest silence ${seconds(load.longestSilence)} s` +
      ` (${[...more, ...wrong].join("; ")})${held ? "" : "  FAILED"}`,
  );
  return held;
}

/** `npm run ledger:verify` on the survivor. Answers whether it found the ledger in order. */
function verifies(url: string): boolean {
  const env = { ...process.env, DATABASE_URL: url };
  try {
    const args = ["--import", "tsx", join(projectRoot, "scripts/ledger-verify.ts")];
    const printed = execFileSync(process.execPath, args, { cwd: projectRoot, env, encoding: "utf8" });
    console.log(`ledger:verify on the survivor: ${printed.trim().split("\n").at(-1)}`);
    return true;
  } catch (error) {
    console.log(`ledger:verify on the survivor FAILED: ${error instanceof Error ? error.message : error}`);
    return false;
  }
}

// npm run test:failover [-- name part …]: a primary and its synchronous standby lose each other, or the way between them, while
// clients post. ROUNDS=n plays all cases n times; LONG=1 ten times.
await runCommand(async () => {
  const missing = ensureProxies("haproxy", "pgbouncer");
  if (missing.length > 0) {
    console.log(`not run  ${missing.join(" and ")} could not be installed`);
    return 1;
  }
  await ensureBuild();
  const folder = temporaryDataDir("failover");
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const stage = await openStage(folder);
  const parts = process.argv.slice(2);
  const cases = CASES.filter(({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)));
  const results: boolean[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    if (ROUNDS > 1) console.log(`round ${round} of ${ROUNDS}`);
    for (const one of cases) results.push(await play(stage, one));
  }
  results.push(verifies(stage.cluster.primary.url()));
  const failed = results.filter((held) => !held).length;
  console.log(`\n${results.length - failed} passed, ${failed} failed`);
  return failed === 0 && cases.length > 0 ? 0 : 1;
});
