import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, type TestContext, test } from "vitest";
import { startPgBouncer, startProxy } from "@/lib/testing/proxies";
import { ensureBuild } from "@/scripts/lib/build";
import { folderUntilEnd, projectRoot, untilEnd } from "@/scripts/lib/command";
import { migrate } from "@/scripts/lib/migrate";
import { CHECK_PATIENCE, openCheck } from "@/scripts/lib/primary-check";
import { ensureProxies } from "@/scripts/lib/tools";
import { outputOf } from "@/scripts/postgres/guarded";
import { atPort, freePort } from "@/scripts/postgres/port";
import { Cluster, type Place } from "./failover/cluster";
import { auditBooks } from "./faults/books";
import { Load, openShop } from "./faults/load";
import { Outside, Servers } from "./faults/program";

const ROUNDS = Number(process.env.ROUNDS ?? (process.env.LONG === "1" ? 10 : 1));
/** Fifty postings a second: each client waits so many milliseconds after an answer. */
const [CLIENTS, PACE] = [10, 200];
const POSTINGS = 300;
/** Milliseconds after which writes must go on. */
const PATIENCE = 30_000;

/** The small HTTP check of one place. A server that has ended is not asked. */
const checkOf = (place: Place) =>
  untilEnd(openCheck(() => (place.server && !place.server.ended() ? place.server.ownerUrl() : undefined)));

/**
 * Starts HAProxy: it passes connections to the place that is the primary, and ends those to a primary of before. Answers its
 * port.
 */
async function startHaproxy({ places, primary }: Cluster): Promise<number> {
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
  await untilEnd(startProxy("haproxy", ["-db", "-f", "haproxy.cfg"], files, atPort(primary.url(), port)));
  return port;
}

const missing = ensureProxies("haproxy", "pgbouncer");
if (missing.length > 0) throw new Error(`${missing.join(" and ")} could not be installed`);
await ensureBuild();
const folder = folderUntilEnd("failover");
// A primary with its standby behind HAProxy; two servers that reach it directly, and two through PgBouncer.
const cluster = await untilEnd(
  Cluster.start(join(folder, "cluster"), (primary) =>
    migrate(primary.ownerUrl(), { application: primary.url() }),
  ),
);
/** The network between the servers and the database. */
const front = await untilEnd(Outside.open(await startHaproxy(cluster)));
const url = atPort(cluster.primary.url(), front.port);
const pooler = await untilEnd(startPgBouncer([url]));
const direct = await untilEnd(Servers.open(join(folder, "direct"), 2, { DATABASE_URL: url }));
const pooled = await untilEnd(
  Servers.open(join(folder, "pooled"), 2, {
    DATABASE_URL: pooler.through(url),
    DATABASE_DIRECT_URL: url,
    DATABASE_POOLER: "transaction",
  }),
);

/** A test in which this happens while the clients post. It answers the seconds without a standby. */
const during =
  (happens: (load: Load) => Promise<number>, servers = direct) =>
  async ({ task: { name } }: TestContext): Promise<void> => {
    const shop = await openShop(cluster.primary.ownerUrl(), CLIENTS, POSTINGS);
    const load = new Load(() => servers.urls, shop, { pace: PACE });
    let alone = 0;
    await load.run(POSTINGS, async () => {
      alone = await happens(load);
    });
    const remark = alone ? `${alone.toFixed(1)} s without a standby` : undefined;
    await auditBooks(cluster.primary.ownerUrl(), load, { name, patience: PATIENCE, remark });
  };

/** Waits until the clients had some more answers. */
const someAnswers = (load: Load) => load.reach(load.acknowledged + 100);

/** Adds a standby while the clients post. Answers the seconds since `began`. */
async function withNewStandby(load: Load, began: number): Promise<number> {
  await cluster.addStandby();
  const seconds = (performance.now() - began) / 1_000;
  await someAnswers(load);
  return seconds;
}

/** The primary ends, the standby takes its place, and after what else happens a new standby is added. */
const promotion =
  (end: () => Promise<void>, afterwards: () => Promise<unknown> = async () => {}) =>
  async (load: Load): Promise<number> => {
    await someAnswers(load);
    const began = performance.now();
    await end();
    await cluster.promote();
    await afterwards();
    await someAnswers(load);
    return withNewStandby(load, began);
  };
const kill = () => cluster.primary.kill();

async function standbyStops(load: Load): Promise<number> {
  await someAnswers(load);
  const began = performance.now();
  await cluster.standby.stop();
  // Postings that the standby had before it stopped are still answered.
  await pause(1_000);
  const before = load.acknowledged;
  await pause(3_000);
  expect(load.acknowledged, "postings answered that no standby has").toBe(before);
  await cluster.waitForStandby("");
  await someAnswers(load);
  return withNewStandby(load, began);
}

async function networkIsCut(load: Load): Promise<number> {
  await someAnswers(load);
  front.cut();
  await pause(5_000);
  front.mood = "good";
  await someAnswers(load);
  return 0;
}

// The cases that a primary, its standby and the way to them may meet (docs/deploy/high-availability.md).
const rounds = Array.from({ length: ROUNDS }, (_, nth) => nth + 1);
describe.each(rounds)(`round %i of ${ROUNDS}`, () => {
  test("kill -9 of the primary and promotion", during(promotion(kill)));
  // A primary that is stopped sends all of its log to the standby before it ends.
  test("a planned switch-over", during(promotion(() => cluster.primary.stop())));
  test("a standby that stops: writes wait until it is given up", during(standbyStops));
  test("a cut network between the servers and the database", during(networkIsCut));
  test("the old primary comes back", during(promotion(kill, () => cluster.startFormer())));
  test("kill -9 of the primary behind PgBouncer", during(promotion(kill), pooled));
});

test("ledger:verify on the survivor", async () => {
  const printed = await outputOf(
    "ledger:verify",
    process.execPath,
    ["--import", "tsx", "scripts/ledger-verify.ts"],
    {
      cwd: projectRoot,
      env: { ...process.env, DATABASE_URL: cluster.primary.url() },
    },
  );
  console.log(printed.trim().split("\n").at(-1));
});
