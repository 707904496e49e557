import { readFileSync, rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { createDb, type Db } from "@/lib/db/client";
import { seedLarge } from "@/prisma/seed/large";
import { atEnd, runCommand } from "@/scripts/lib/command";
import { migrate } from "@/scripts/lib/migrate";
import { temporaryDataDir } from "@/scripts/postgres/temporary";
import { GROWTH, type GrowthCase } from "./growth-cases";
import { makeGrowthWorld, type Seeded, startTimed } from "./growth-world";

// npm run bench:growth [-- --large FOLDER --customers 1000000 --movements 10000000 --rounds 200 --only PART --statements --cpu]:
// docs/operate/bench.md.
const { values } = parseArgs({
  options: {
    large: { type: "string" },
    customers: { type: "string", default: "1000000" },
    movements: { type: "string", default: "10000000" },
    rounds: { type: "string", default: "200" },
    only: { type: "string", multiple: true, default: [] },
    statements: { type: "boolean", default: false },
    cpu: { type: "boolean", default: false },
  },
});
const ROUNDS = Number(values.rounds);
const SMALL = { customers: 1_000, movements: 10_000 };
/** Before the rounds that count: pages are read into memory, connections keep their statements. */
const WARM_UP = 15;
/** Milliseconds that the large one may take in 99 of 100 cases, and how many times as long as the small one (targets.md). */
const MOST = 50;
const RATIO = 2;

type Side = { name: string; world: Seeded; owner: Db };
type Times = { p50: number; p99: number };

async function start(
  name: string,
  size: { customers: number; movements: number },
  folder?: string,
): Promise<Side> {
  const dataDir = folder ?? temporaryDataDir("growth");
  const server = await startTimed(dataDir);
  atEnd(async () => {
    await server.stop();
    if (!folder) rmSync(dataDir, { recursive: true, force: true });
  });
  await migrate(server.ownerUrl(), { application: server.url() });
  const owner = createDb(server.ownerUrl(), 2);
  atEnd(() => owner.$disconnect());
  if ((await owner.merchant.count({ where: { email: "large1@large.test" } })) === 0) {
    await seedLarge(owner, { merchants: 20, days: 365, ...size }, (line) => console.error(`  ${line}`));
  }
  const db = createDb(server.url(), 3, { statements: "named" });
  atEnd(() => db.$disconnect());
  return { name, owner, world: await makeGrowthWorld(owner, server.ownerUrl(), db) };
}

/** Milliseconds that the application's connections had a core: what is left to compare by where others use the cores too. */
async function onCores(owner: Db): Promise<number> {
  const backends = await owner.$queryRaw<{ pid: number }[]>`
    select pid from pg_stat_activity where usename = 'wallet_app' and backend_type = 'client backend'`;
  const times = backends.map(({ pid }) =>
    Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]),
  );
  return times.reduce((sum, ns) => sum + ns, 0) / 1e6;
}

/** Milliseconds of planning and running of the application's statements so far. */
async function spent(owner: Db): Promise<number> {
  if (values.cpu) return onCores(owner);
  const [row] = await owner.$queryRaw<{ ms: number }[]>`
    select coalesce(sum(total_plan_time + total_exec_time), 0)::float8 as ms
    from pg_stat_statements s join pg_roles r on r.oid = s.userid where r.rolname = 'wallet_app' and s.toplevel`;
  return row?.ms ?? 0;
}

const at = (sorted: number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? 0;

async function printStatements({ owner }: Side): Promise<void> {
  const rows = await owner.$queryRaw<{ ms: number; plan: number; calls: number; query: string }[]>`
    select (total_exec_time / calls)::float8 as ms, (total_plan_time / greatest(1, plans))::float8 as plan,
      calls::int as calls, regexp_replace(query, '\\s+', ' ', 'g') as query
    from pg_stat_statements s join pg_roles r on r.oid = s.userid
    where r.rolname = 'wallet_app' and s.toplevel and calls > 1 order by total_exec_time desc limit 5`;
  for (const { ms, plan, calls, query } of rows) {
    console.log(`      ${ms.toFixed(2)} (plan ${plan.toFixed(2)}) ms × ${calls}: ${query.slice(0, 300)}`);
  }
}

/** The case again and again, its time in the database by Postgres' own count. */
async function measure(one: GrowthCase, side: Side): Promise<Times> {
  for (let nth = 0; nth < WARM_UP; nth++) await one.run(side.world, nth);
  await side.owner.$executeRaw`select pg_stat_statements_reset()`;
  const times: number[] = [];
  for (let nth = 0, before = await spent(side.owner); nth < ROUNDS; nth++) {
    await one.run(side.world, nth);
    const now = await spent(side.owner);
    times.push(now - before);
    before = now;
  }
  if (values.statements) await printStatements(side);
  times.sort((a, b) => a - b);
  return { p50: at(times, 0.5), p99: at(times, 0.99) };
}

const cell = (ms: number) => ms.toFixed(2).padStart(8);

await runCommand(async () => {
  const small = await start("small", SMALL);
  const size = { customers: Number(values.customers), movements: Number(values.movements) };
  const large = await start("large", size, values.large);
  const cases = GROWTH.filter(
    ({ name }) => values.only.length === 0 || values.only.some((part) => name.includes(part)),
  );
  console.log(
    `${(values.cpu ? "milliseconds on a core" : "milliseconds in the database").padEnd(46)}  small p50      p99  large p50      p99   ratio`,
  );
  let [late, grown] = [0, 0];
  for (const one of cases) {
    const [few, many] = [await measure(one, small), await measure(one, large)];
    const ratio = many.p50 / Math.max(few.p50, 0.01);
    const isLate = many.p99 > MOST;
    const isGrown = ratio > RATIO;
    late += Number(isLate);
    grown += Number(isGrown);
    const numbers = `${cell(few.p50)} ${cell(few.p99)}   ${cell(many.p50)} ${cell(many.p99)}  ${ratio.toFixed(2).padStart(6)}`;
    const verdict = isLate ? `above ${MOST} ms` : isGrown ? `above ${RATIO}×` : "";
    console.log(`${one.name.padEnd(46)} ${numbers}  ${verdict}`);
  }
  console.log(
    `${late} of ${cases.length} took more than ${MOST} ms, ${grown} more than ${RATIO} times as long as the small one.`,
  );
  return late === 0 ? 0 : 1;
});
