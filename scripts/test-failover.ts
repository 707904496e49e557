import { execFileSync } from "node:child_process";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Cluster, type Place } from "./failover/cluster";
import { CHECK_PATIENCE, openCheck } from "./failover/primary-check";
import { auditBooks, Load, openShop } from "./faults/load";
import { Outside, Servers } from "./faults/program";
import { ensureBuild } from "./lib/build";
import { atEnd, folderUntilEnd, runCommand } from "./lib/ending";
import { migrate } from "./lib/migrate";
import { startPgBouncer } from "./lib/pgbouncer";
import { projectRoot } from "./lib/project";
import { ensureProxies, findProxy } from "./lib/tools";
import { startGuarded } from "./postgres/guarded";
import { serverAccount } from "./postgres/home";
import { atPort, freePort } from "./postgres/port";

const ROUNDS = Number(process.env.ROUNDS ?? (process.env.LONG === "1" ? 10 : 1));
/** Fifty postings a second: each client waits so many milliseconds after an answer. */
const [CLIENTS, PACE] = [10, 200];
const POSTINGS = 300;
/** Milliseconds after which writes must go on. */
const PATIENCE = 30_000;

/** `front` is the network between the servers and the database. */
type Scene = { cluster: Cluster; front: Outside; load: Load };

type Case = {
  name: string;
  /** Whether the servers reach the database through PgBouncer in transaction mode. */
  isPooled?: true;
  /** Plays the case while the clients post. Answers the seconds without a standby. */
  run(scene: Scene): Promise<number>;
};

/** Answers before and after what a case does. */
const SOME = 100;

/** Waits until the clients had some more answers. */
async function answersOf(load: Load): Promise<void> {
  const wanted = load.acknowledged + SOME;
  while (load.acknowledged < wanted) await pause(20);
}

/** Adds a standby while the clients post. Answers the seconds since `began`. */
async function withNewStandby({ cluster, load }: Scene, began: number): Promise<number> {
  await cluster.addStandby();
  const seconds = (performance.now() - began) / 1_000;
  await answersOf(load);
  return seconds;
}

/** The primary ends, the standby takes its place, and after what else happens a new standby is added. */
const promotion =
  (
    end: (cluster: Cluster) => Promise<void>,
    afterwards: (cluster: Cluster) => Promise<unknown> = async () => {},
  ) =>
  async (scene: Scene): Promise<number> => {
    await answersOf(scene.load);
    const began = performance.now();
    await end(scene.cluster);
    await scene.cluster.promote();
    await afterwards(scene.cluster);
    await answersOf(scene.load);
    return await withNewStandby(scene, began);
  };
const loseThePrimary = promotion((cluster) => cluster.killPrimary());

/** The cases that a primary, its standby and the way to them may meet (docs/deploy/high-availability.md). */
const CASES: readonly Case[] = [
  { name: "kill -9 of the primary and promotion", run: loseThePrimary },
  // A primary that is stopped sends all of its log to the standby before it ends.
  { name: "a planned switch-over", run: promotion((cluster) => cluster.primary.stop()) },
  {
    name: "a standby that stops: writes wait until it is given up",
    async run(scene) {
      const { cluster, load } = scene;
      await answersOf(load);
      const began = performance.now();
      await cluster.standby.stop();
      // Postings that the standby had before it stopped are still answered.
      await pause(1_000);
      const before = load.acknowledged;
      await pause(3_000);
      if (load.acknowledged > before) throw new Error("a posting was answered that no standby has");
      await cluster.waitForStandby("");
      await answersOf(load);
      return await withNewStandby(scene, began);
    },
  },
  {
    name: "a cut network between the servers and the database",
    async run({ front, load }) {
      await answersOf(load);
      front.cut();
      await pause(5_000);
      front.heal();
      await answersOf(load);
      return 0;
    },
  },
  {
    name: "the old primary comes back",
    run: promotion(
      (cluster) => cluster.killPrimary(),
      (cluster) => cluster.startFormer(),
    ),
  },
  { name: "kill -9 of the primary behind PgBouncer", isPooled: true, run: loseThePrimary },
];

/** The small HTTP check of one place. A server that has ended is not asked. */
const checkOf = (place: Place) =>
  openCheck(() => (place.server && !place.server.ended() ? place.server.ownerUrl() : undefined));

/** Whether somebody listens there. */
const listens = (port: number): Promise<boolean> =>
  new Promise((answer) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("connect", () => socket.destroy());
    socket.on("close", (hadError) => answer(!hadError));
    socket.on("error", () => {});
  });

/**
 * Starts HAProxy in front of these places: it passes connections to the primary, and ends those to a server that is the
 * primary no more. It ends with this process. Throws where HAProxy is not installed: see ensureProxies.
 */
async function startHaproxy(places: readonly Place[]): Promise<{ port: number; stop(): Promise<void> }> {
  const command = findProxy("haproxy");
  if (!command) throw new Error("HAProxy is not installed.");
  const checks = await Promise.all(places.map(checkOf));
  const folder = mkdtempSync(join(tmpdir(), "wallet-haproxy-"));
  const file = join(folder, "haproxy.cfg");
  const port = await freePort();
  const servers = places.map(
    (place, nth) => `  server place${nth} 127.0.0.1:${place.port} check port ${checks[nth]?.port}`,
  );
  writeFileSync(
    file,
    `defaults
  mode tcp
  timeout connect 2s
  timeout check ${CHECK_PATIENCE + 500}ms
  timeout client 1h
  timeout server 1h
listen postgres
  bind 127.0.0.1:${port}
  option httpchk GET /
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join("\n")}
`,
  );
  const account = serverAccount();
  if (account) for (const path of [folder, file]) chownSync(path, account.uid, account.gid);
  const proxy = startGuarded({
    command,
    args: ["-db", "-f", file],
    cwd: "/",
    account,
    patience: 3_000,
    output: "keep",
  });
  while (!(await listens(port))) {
    if (proxy.ended()) throw new Error(`HAProxy did not start:\n${await proxy.gone}`);
    await pause(50);
  }
  return {
    port,
    async stop() {
      await proxy.stop();
      for (const check of checks) check.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

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
  const folder = folderUntilEnd("failover");
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
