import { randomBytes, randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { createDb, type Db } from "@/lib/db/client";
import { makeCustomer, makeMerchant, makeWorker, PASSWORD } from "@/lib/testing/factories";
import { ensureBuild } from "./lib/build";
import { atEnd, runCommand } from "./lib/ending";
import { migrate } from "./lib/migrate";
import { serveBuilt, untilReady } from "./lib/serve";
import type { Guarded } from "./postgres/guarded";
import { freePort } from "./postgres/port";
import { type Postgres, startPostgres, temporaryDataDir } from "./postgres/server";

const CLIENTS = 16;
const TOP_UPS = 200;
/** After so many acknowledged top-ups the server is killed; the second time the database with it. */
const FAULTS = [50, 120];

type TopUp = { key: string; customerId: string; branchId: string; points: number };

/** The program on a database that may be killed and started again, both of them. */
class House {
  private server: Guarded | undefined;
  private postgres: Postgres | undefined;
  private readonly secret = randomBytes(32).toString("hex");
  constructor(
    private readonly dataDir: string,
    readonly port: number,
  ) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async startDatabase(): Promise<string> {
    this.postgres = await startPostgres({ dataDir: this.dataDir });
    await migrate(this.postgres.ownerUrl(), { application: this.postgres.url() });
    return this.postgres.ownerUrl();
  }

  async startServer(): Promise<void> {
    const env = {
      ...process.env,
      APP_ENV: "test",
      APP_URL: this.url,
      AUTH_SECRET: this.secret,
      DATABASE_URL: this.postgres?.url(),
      DATA_DIR: this.dataDir,
    };
    this.server = serveBuilt({ env, port: this.port, host: "127.0.0.1", output: "keep" });
    await untilReady(this.url, this.server);
  }

  async killServer(): Promise<void> {
    if (!this.server) return;
    process.kill(await this.server.pid, "SIGKILL");
    await this.server.gone;
  }

  async killDatabase(): Promise<void> {
    await this.postgres?.kill();
  }

  async stop(): Promise<void> {
    await this.server?.stop();
    await this.postgres?.stop();
  }
}

async function call(url: string, body: object, headers: Record<string, string> = {}) {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  return {
    status: answer.status,
    body: (await answer.json()) as { message: string; data: Record<string, string> },
  };
}

/** Sends a top-up until it has a definite answer, always with the same key. Answers the movement's id. */
async function insist(url: string, token: string, topUp: TopUp): Promise<string> {
  const body = { customerId: topUp.customerId, sPoints: topUp.points, iBranchId: topUp.branchId };
  for (;;) {
    try {
      const headers = { authorization: token, "idempotency-key": topUp.key };
      const answer = await call(`${url}/api/top-up-points`, body, headers);
      if (answer.status === 200) return answer.body.data._id ?? "";
      if (answer.status < 500) throw new TypeError(`${answer.status}: ${answer.body.message}`);
    } catch (error) {
      // fetch reports a broken connection as a TypeError with a cause; anything else is a definite answer.
      const broken = error instanceof Error && (error.cause !== undefined || error.name === "TimeoutError");
      if (!broken && !(error instanceof SyntaxError)) throw error;
    }
    await new Promise((done) => setTimeout(done, 100));
  }
}

async function plan(db: Db): Promise<{ email: string; topUps: TopUp[] }> {
  const shop = await makeMerchant(db);
  const worker = await makeWorker(db, shop);
  const customers = await Promise.all(Array.from({ length: 10 }, () => makeCustomer(db, shop)));
  const topUps = Array.from({ length: TOP_UPS }, (_, index) => ({
    key: randomUUID(),
    customerId: customers[index % customers.length]?.id ?? "",
    branchId: shop.branch.id,
    points: 1 + (index % 50),
  }));
  return { email: worker.email, topUps };
}

/** What is wrong with the books, each a line: nothing, or the program loses or doubles money. */
async function audit(db: Db, topUps: TopUp[], acknowledged: Map<string, string>): Promise<string[]> {
  const movements = await db.movement.findMany({
    select: { id: true, idempotencyKey: true, points: true, customerId: true },
    take: 10 * TOP_UPS,
  });
  const byKey = Map.groupBy(movements, (movement) => movement.idempotencyKey);
  const wrongKeys = topUps.flatMap(({ key, points }) => {
    const found = byKey.get(key) ?? [];
    const right = found.length === 1 && found[0]?.points === points && found[0].id === acknowledged.get(key);
    return right ? [] : [`${key}: ${found.length} movements, acknowledged as ${acknowledged.get(key)}`];
  });
  const wrongBalances = await db.$queryRaw<{ id: string; balance: number; sum: number }[]>`
    select c.id::text, c.balance, coalesce(sum(m.points), 0)::int as sum
    from customers c left join movements m on m.customer_id = c.id
    group by c.id having c.balance <> coalesce(sum(m.points), 0)`;
  return [
    ...wrongKeys,
    ...wrongBalances.map(({ id, balance, sum }) => `customer ${id}: balance ${balance}, movements ${sum}`),
    ...(movements.length === topUps.length
      ? []
      : [`${movements.length} movements for ${topUps.length} top-ups`]),
  ];
}

async function withDb<T>(url: string, work: (db: Db) => Promise<T>): Promise<T> {
  const db = createDb(url, 4);
  try {
    return await work(db);
  } finally {
    await db.$disconnect();
  }
}

// npm run test:faults: kill -9 while sixteen clients top up; afterwards every acknowledged top-up is there once.
await runCommand(async () => {
  await ensureBuild();
  const dataDir = temporaryDataDir("faults");
  atEnd(() => rmSync(dataDir, { recursive: true, force: true }));
  const shop = new House(dataDir, await freePort());
  atEnd(() => shop.stop());
  let databaseUrl = await shop.startDatabase();
  const { email, topUps } = await withDb(databaseUrl, plan);
  await shop.startServer();
  const login = await call(`${shop.url}/api/auth/login`, { sEmail: email, sPassword: PASSWORD });
  const token = login.body.data.token ?? "";

  const acknowledged = new Map<string, string>();
  const faults = [...FAULTS];
  let recovery = Promise.resolve();
  const strike = async (withDatabase: boolean) => {
    console.log(`kill -9 after ${acknowledged.size} acknowledged${withDatabase ? ", the database too" : ""}`);
    await shop.killServer();
    if (withDatabase) {
      await shop.killDatabase();
      databaseUrl = await shop.startDatabase();
    }
    await shop.startServer();
  };
  const waiting = [...topUps];
  const client = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      acknowledged.set(next.key, await insist(shop.url, token, next));
      if (acknowledged.size === faults[0]) {
        faults.shift();
        recovery = recovery.then(() => strike(faults.length === 0));
      }
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  await recovery;

  const problems = await withDb(databaseUrl, (db) => audit(db, topUps, acknowledged));
  for (const problem of problems) console.error(problem);
  console.log(
    problems.length === 0
      ? `${acknowledged.size} top-ups acknowledged, each there once; every balance equals its movements' sum.`
      : `${problems.length} problems`,
  );
  return problems.length === 0 && faults.length === 0 ? 0 : 1;
});
