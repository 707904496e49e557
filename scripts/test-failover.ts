import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { startPgBouncer, startProxy } from "@/lib/testing/proxies";
import { Cluster, type Place } from "@/lib/testing/trials/failover/cluster";
import { auditBooks, Load, openShop } from "@/lib/testing/trials/faults/load";
import { Outside, Servers } from "@/lib/testing/trials/faults/program";
import { isNamed, Table } from "@/lib/testing/trials/trials";
import { ensureBuild } from "./lib/build";
import { folderUntilEnd, projectRoot, runCommand, untilEnd } from "./lib/command";
import { migrate } from "./lib/migrate";
import { CHECK_PATIENCE, openCheck } from "./lib/primary-check";
import { ensureProxies } from "./lib/tools";
import { atPort, freePort } from "./postgres/port";
import type { Postgres } from "./postgres/server";

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
const loseThePrimary = promotion((cluster) => cluster.primary.kill());

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
      front.mood = "good";
      await answersOf(load);
      return 0;
    },
  },
  {
    name: "the old primary comes back",
    run: promotion(
      (cluster) => cluster.primary.kill(),
      (cluster) => cluster.startFormer(),
    ),
  },
  { name: "kill -9 of the primary behind PgBouncer", isPooled: true, run: loseThePrimary },
];

/** The small HTTP check of one place. A server that has ended is not asked. */
const checkOf = (place: Place) =>
  openCheck(() => (place.server && !place.server.ended() ? place.server.ownerUrl() : undefined));

/** Starts HAProxy: it passes connections to the place that is the primary, and ends those to a primary of before. */
async function startHaproxy({ places, primary }: Cluster): Promise<{ port: number; stop(): Promise<void> }> {
  const checks = await Promise.all(places.map(checkOf));
  const port = await freePort();
  const servers = places.map(
    (place, nth) => `  server place${nth} 127.0.0.1:${place.port} check port ${checks[nth]?.port}`,
  );
  const settings = `defaults
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
`;
  const files = { "haproxy.cfg": settings };
  const proxy = await startProxy("haproxy", ["-db", "-f", "haproxy.cfg"], files, atPort(primary.url(), port));
  return {
    port,
    async stop() {
      await proxy.stop();
      for (const check of checks) check.close();
    },
  };
}

type Stage = { cluster: Cluster; front: Outside; servers: Record<"direct" | "pooled", Servers> };

/** A primary with its standby behind HAProxy; two servers that reach it directly, and two through PgBouncer. */
async function openStage(folder: string): Promise<Stage> {
  const prepare = (primary: Postgres) => migrate(primary.ownerUrl(), { application: primary.url() });
  const cluster = await untilEnd(Cluster.start(join(folder, "cluster"), prepare));
  const proxy = await untilEnd(startHaproxy(cluster));
  const front = await untilEnd(Outside.open(proxy.port));
  const direct = atPort(cluster.primary.url(), front.port);
  const pooler = await untilEnd(startPgBouncer([direct]));
  const pooled = {
    DATABASE_URL: pooler.through(direct),
    DATABASE_DIRECT_URL: direct,
    DATABASE_POOLER: "transaction",
  };
  const servers = {
    direct: await untilEnd(Servers.open(join(folder, "direct"), 2, { DATABASE_URL: direct })),
    pooled: await untilEnd(Servers.open(join(folder, "pooled"), 2, pooled)),
  };
  return { cluster, front, servers };
}

/** Plays a case under load, and adds a row with what the clients lost. */
async function play({ cluster, front, servers }: Stage, one: Case, table: Table): Promise<void> {
  const shop = await openShop(cluster.primary.ownerUrl(), CLIENTS, POSTINGS);
  const { urls } = servers[one.isPooled ? "pooled" : "direct"];
  const load = new Load(() => urls, shop, { pace: PACE });
  let alone = 0;
  await load.run(POSTINGS, async () => {
    alone = await one.run({ cluster, front, load });
  });
  const { lost, doubled, acknowledged, wrong } = await auditBooks(cluster.primary.ownerUrl(), load);
  const held = lost + doubled + wrong.length === 0 && load.longestSilence <= PATIENCE;
  const remarks = [...(alone ? [`${alone.toFixed(1)} s without a standby`] : []), ...wrong];
  const silence = `${(load.longestSilence / 1_000).toFixed(1)} s`;
  table.row(one.name, held, [acknowledged, lost, doubled, silence], remarks.join("; "));
}

/** `npm run ledger:verify`. Answers its last line; throws where it finds something wrong. */
function verify(url: string): string {
  const env = { ...process.env, DATABASE_URL: url };
  const args = ["--import", "tsx", join(projectRoot, "scripts/ledger-verify.ts")];
  const printed = execFileSync(process.execPath, args, { cwd: projectRoot, env, encoding: "utf8" });
  return printed.trim().split("\n").at(-1) ?? "";
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
  const cases = CASES.filter(({ name }) => isNamed(name));
  const table = new Table(56, ["acked", "lost", "doubled", "silence"]);
  for (let round = 1; round <= ROUNDS; round++) {
    if (ROUNDS > 1) console.log(`round ${round} of ${ROUNDS}`);
    for (const one of cases) await play(stage, one, table);
  }
  if (cases.length > 0)
    await table.try("ledger:verify on the survivor", () => verify(stage.cluster.primary.url()));
  return table.end();
});
