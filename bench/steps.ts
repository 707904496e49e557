import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { type Profiler, Session } from "node:inspector/promises";
import { atEnd, runCommand } from "@/scripts/lib/command";
import { migrate } from "@/scripts/lib/migrate";
import { startPostgres } from "@/scripts/postgres/server";
import { temporaryDataDir } from "@/scripts/postgres/temporary";

// npm run bench:steps [-- top-ups]: the server's CPU of a top-up by step, of a till that proves itself.
const TOP_UPS = Number(process.argv[2] ?? 6_000);
const CLIENTS = 64;
const WORKERS = 40;
const EACH = { customers: 500, sessions: 200 };
const SAMPLE_MICROS = 250;

/** The files of each step. The innermost frame that has one of them decides; the driver serves session and batch. */
const STEPS: [step: string, files: RegExp][] = [
  ["till proof", /\/lib\/tills|\/jose\//],
  ["batch", /\/lib\/(ledger\/(post|batch|posting-pool|move-points|model)|observe\/metrics)|\/prom-client\//],
  [
    "session",
    /\/lib\/(accounts|api\/(actor|limits|route-limit|mark-device|address)|secrets)|\/@prisma\/|\/generated\//,
  ],
  ["parse", /\/lib\/(api\/body|calls|domain)|\/zod\//],
  [
    "reply",
    /\/lib\/(api\/(reply|writer|answer|problems)|i18n|jobs)|\/next-intl|\/use-intl|\/intl-messageformat/,
  ],
  ["operation and route", /\/lib\/(operations|api|observe)/],
  ["driver of Postgres", /\/pg(-pool|-protocol|-types)?\/|\/lib\/db\//],
];

type Node = Profiler.ProfileNode;

/** How long each step was seen in a profile, in milliseconds of a clock that runs on while others use the core. */
function stepsOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Map<string, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map<number, Node>();
  for (const node of nodes) for (const child of node.children ?? []) parents.set(child, node);
  const stepOf = (leaf: Node): string | null => {
    const { functionName } = leaf.callFrame;
    if (functionName === "(idle)") return null;
    if (functionName === "(garbage collector)") return "garbage collection";
    for (let node: Node | undefined = leaf; node; node = parents.get(node.id)) {
      const { url } = node.callFrame;
      const step = STEPS.find(([, files]) => files.test(url));
      if (step) return step[0];
    }
    return "Node itself";
  };
  const steps = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const leaf = byId.get(id);
    const step = leaf && stepOf(leaf);
    if (step) steps.set(step, (steps.get(step) ?? 0) + (timeDeltas[index] ?? 0) / 1_000);
  }
  return steps;
}

/** Posts as the handlers of the API do, with everything but the socket. Answers the profile, and this process's CPU in ms. */
async function profile(ownerUrl: string): Promise<{ found: Profiler.Profile; cpu: number }> {
  const { createDb, getDb } = await import("@/lib/db/client");
  const { makeCustomer, makeMerchant, makeWorker } = await import("@/lib/testing/factories");
  const { makeTill, proofOf } = await import("@/lib/testing/tills");
  const { call, tokenOf } = await import("@/lib/testing/calls");
  const { handlerOf } = await import("@/lib/testing/handlers");
  const { endPostingPools } = await import("@/lib/ledger/posting-pool");
  const owner = createDb(ownerUrl, 8);
  const shop = await makeMerchant(owner, {
    unprovedWorkerDaily: 1_000_000_000,
    redeemAllowance: 1_000_000_000,
  });
  const { key } = await makeTill(owner, shop);
  const workers = await Promise.all(Array.from({ length: WORKERS }, () => makeWorker(owner, shop)));
  const tokens = await Promise.all(
    Array.from({ length: EACH.sessions }, (_, nth) => tokenOf(owner, workers[nth % WORKERS] ?? shop.owner)),
  );
  const customers = await Promise.all(
    Array.from({ length: EACH.customers }, () => makeCustomer(owner, shop)),
  );
  const handler = handlerOf("POST", "top-up-points");
  // Signing is the browser's work.
  const signed = async (nth: number) => {
    const token = tokens[nth % tokens.length] ?? "";
    const body = { customerId: customers[nth % EACH.customers]?.id, sPoints: 1, iBranchId: shop.branch.id };
    const proof = await proofOf(key, { method: "POST", token, body });
    return { method: "POST", token, body, headers: { ...proof, "idempotency-key": randomUUID() } };
  };
  const run = async (count: number) => {
    const requests = await Promise.all(Array.from({ length: count }, (_, nth) => signed(nth)));
    return async () => {
      const client = async () => {
        for (let next = requests.pop(); next; next = requests.pop()) {
          const { status, message } = await call(handler, next);
          if (status !== 200) throw new Error(`a top-up was answered ${status}: ${message}`);
        }
      };
      await Promise.all(Array.from({ length: CLIENTS }, client));
    };
  };
  const session = new Session();
  session.connect();
  await (await run(TOP_UPS / 4))();
  await owner.$executeRaw`analyze`;
  const measured = await run(TOP_UPS);
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: SAMPLE_MICROS });
  await session.post("Profiler.start");
  const before = process.cpuUsage();
  await measured();
  const { user, system } = process.cpuUsage(before);
  const { profile: found } = await session.post("Profiler.stop");
  await endPostingPools(getDb());
  await Promise.all([owner.$disconnect(), getDb().$disconnect()]);
  return { found, cpu: (user + system) / 1_000 };
}

await runCommand(async () => {
  const dataDir = temporaryDataDir("steps");
  atEnd(() => rmSync(dataDir, { recursive: true, force: true }));
  const server = await startPostgres({ dataDir });
  atEnd(() => server.stop());
  await migrate(server.ownerUrl(), { application: server.url() });
  // Read at the first import of the program.
  Object.assign(process.env, {
    APP_ENV: "test",
    APP_URL: "http://localhost:3000",
    AUTH_SECRET: "a secret for this measurement only, and long enough",
    DATABASE_URL: server.url(),
    DATABASE_STATEMENTS: "named",
    DATA_DIR: dataDir,
    WORKER: "off",
  });
  const { found, cpu } = await profile(server.ownerUrl());
  const steps = stepsOf(found);
  const all = [...steps.values()].reduce((sum, ms) => sum + ms, 0);
  for (const [step, ms] of [...steps].sort((one, other) => other[1] - one[1])) {
    const share = ms / all;
    const each = ((share * cpu) / TOP_UPS).toFixed(3);
    console.log(
      `${step.padEnd(24)} ${each} ms  ${Math.round(100 * share)
        .toString()
        .padStart(3)} %`,
    );
  }
  console.log(`${"a top-up".padEnd(24)} ${(cpu / TOP_UPS).toFixed(3)} ms, without the socket`);
  return 0;
});
