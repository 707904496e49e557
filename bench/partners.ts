import { randomBytes, randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createApiKey } from "@/lib/api-keys/api-keys";
import { createDb } from "@/lib/db/client";
import type { KeyScope } from "@/lib/domain/key-scopes";
import { contextOf, makeCustomer, makeMerchant } from "@/lib/testing/factories";
import { move } from "@/lib/testing/movements";
import { postJson } from "@/lib/testing/trials/faults/load";
import { ensureBuild } from "@/scripts/lib/build";
import { atEnd, runCommand } from "@/scripts/lib/command";
import { migrate } from "@/scripts/lib/migrate";
import { serveBuilt, untilReady } from "@/scripts/lib/serve";
import { freePort } from "@/scripts/postgres/port";
import { startPostgres } from "@/scripts/postgres/server";
import { temporaryDataDir } from "@/scripts/postgres/temporary";
import { cpuOf, loadOf, whyBusy } from "./machine";

// npm run bench:partners [-- --pace 50 --seconds 60 --anyway]: docs/operate/bench.md. Other software at a steady pace: a hold
// and its capture against one redemption, and how long an event takes from the posting to a receiver of webhooks.
const { values } = parseArgs({
  options: {
    pace: { type: "string", default: "50" },
    seconds: { type: "string", default: "60" },
    anyway: { type: "boolean", default: false },
  },
});
const [pace, seconds] = [Number(values.pace), Number(values.seconds)];
/** A key may make 6,000 requests a minute; a hold and its capture are two. */
const KEYS = 4;
const CARDS = 500;
const POINTS = 5_000;
/** Milliseconds after the last posting within which its event has to come. */
const LATE = 30_000;

/** The bounds: milliseconds, and the CPU of a hold with its capture as a multiple of a redemption's. */
const MOST = { hold: 100, capture: 100, cpu: 2, delivery: 2_000 };

const p99 = (times: number[]) =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * 0.99))] ?? 0;

/** Runs `ask` so many times a second, however slowly it is answered. `due` is when it should have begun. */
async function paced(ask: (nth: number, due: number) => Promise<void>): Promise<void> {
  const began = performance.now();
  const answers: Promise<void>[] = [];
  for (let nth = 0; nth < pace * seconds; nth++) {
    const due = began + (nth * 1_000) / pace;
    const early = due - performance.now();
    if (early > 0) await new Promise((done) => setTimeout(done, early));
    const answer = ask(nth, due);
    // A refusal is told when all were asked.
    answer.catch(() => {});
    answers.push(answer);
  }
  await Promise.all(answers);
}

type Data = { _id: string; sSecret?: string };

async function call(url: string, authorization: string, path: string, body: object): Promise<Data> {
  const answer = await postJson(`${url}/api/${path}`, body, {
    authorization,
    "idempotency-key": randomUUID(),
  });
  if (answer.status !== 200)
    throw new Error(`${path} was answered ${answer.status}: ${answer.text.slice(0, 300)}`);
  return (JSON.parse(answer.text) as { data: Data }).data;
}

/** A receiver of webhooks: when it got the event of each movement. */
async function receiver() {
  const received = new Map<string, number>();
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { data } = JSON.parse(Buffer.concat(parts).toString()) as {
        data: { movement?: { _id: string } };
      };
      if (data.movement) received.set(data.movement._id, performance.now());
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  atEnd(() => void server.close());
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

/** The program on a new database, with a shop, its keys and its cards. */
async function stage() {
  await ensureBuild();
  const dataDir = temporaryDataDir("bench-partners");
  atEnd(() => rmSync(dataDir, { recursive: true, force: true }));
  const postgres = await startPostgres({ dataDir });
  atEnd(postgres.stop);
  await migrate(postgres.ownerUrl(), { application: postgres.url() });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  mkdirSync(join(dataDir, "files"));
  const settings = {
    APP_ENV: "test",
    APP_URL: url,
    AUTH_SECRET: randomBytes(32).toString("hex"),
    DATABASE_URL: postgres.url(),
    DATA_DIR: join(dataDir, "files"),
  };
  Object.assign(process.env, settings);
  const server = serveBuilt({ env: { ...process.env }, port, host: "127.0.0.1", output: "keep" });
  atEnd(server.stop);
  await untilReady(url, server);
  const db = createDb(postgres.ownerUrl(), 4);
  atEnd(() => db.$disconnect());
  const shop = await makeMerchant(db, { redeemAllowance: 1_000_000_000 });
  const owner = contextOf(db, shop.owner);
  const scopes: KeyScope[] = ["topup", "redeem", "webhooks", "events.read"];
  const secrets: string[] = [];
  for (let nth = 0; nth < KEYS; nth++) {
    const { secret } = await createApiKey(owner, { name: `Key ${nth}`, scopes, maxPointsDay: 1_000_000_000 });
    secrets.push(`Bearer ${secret}`);
  }
  const cards: string[] = [];
  for (let nth = 0; nth < CARDS; nth++) {
    const customer = await makeCustomer(db, shop);
    await move(db, shop, customer, { points: POINTS });
    cards.push(customer.publicId);
  }
  const postmaster = Number(readFileSync(join(postgres.folder, "postmaster.pid"), "utf8").split("\n")[0]);
  const own = await server.pid;
  return { url, branch: shop.branch.id, secrets, cards, cpu: () => cpuOf(own) + cpuOf(postmaster) };
}

await runCommand(async () => {
  const busy = whyBusy(await loadOf());
  if (busy && !values.anyway)
    throw new Error(`The machine is busy: ${busy}. --anyway measures all the same.`);
  const { url, branch, secrets, cards, cpu } = await stage();
  const secretOf = (nth: number) => secrets[nth % secrets.length] ?? "";
  const body = (nth: number) => ({ customerId: cards[nth % cards.length], iBranchId: branch });

  const redeem = (nth: number) => call(url, secretOf(nth), "redeem-points", { ...body(nth), sPoints: 1 });
  const times = { redeem: [] as number[], hold: [] as number[], capture: [] as number[] };
  const pair = async (nth: number, due: number) => {
    const { _id } = await call(url, secretOf(nth), "holds", { ...body(nth), iPoints: 1, iSeconds: 60 });
    const held = performance.now();
    times.hold.push(held - due);
    await call(url, secretOf(nth), `holds/${_id}/capture`, {});
    times.capture.push(performance.now() - held);
  };
  /** Milliseconds of CPU, server and Postgres together, of each of what `work` does. */
  const measured = async (work: () => Promise<void>): Promise<number> => {
    const before = cpu();
    await work();
    return ((cpu() - before) * 1_000) / (pace * seconds);
  };
  // Warm: code is compiled, connections are open.
  for (let nth = 0; nth < 100; nth++) await pair(nth, performance.now());
  Object.assign(times, { hold: [], capture: [] });
  const one = await measured(() =>
    paced(async (nth, due) => {
      await redeem(nth);
      times.redeem.push(performance.now() - due);
    }),
  );
  const two = await measured(() => paced(pair));

  const { received, url: sUrl } = await receiver();
  await call(url, secretOf(0), "webhooks", { sUrl, aEvents: ["topup.posted"] });
  const posted = new Map<string, number>();
  await paced(async (nth) => {
    const { _id } = await call(url, secretOf(nth), "top-up-points", { ...body(nth), sPoints: 1 });
    posted.set(_id, performance.now());
  });
  const until = performance.now() + LATE;
  while (received.size < posted.size && performance.now() < until)
    await new Promise((done) => setTimeout(done, 20));
  const delays = [...posted].map(([id, at]) => (received.get(id) ?? Number.POSITIVE_INFINITY) - at);

  const rows: [string, number, number, string][] = [
    ["hold, p99", p99(times.hold), MOST.hold, "ms"],
    ["capture, p99", p99(times.capture), MOST.capture, "ms"],
    ["hold and capture / one redemption, CPU", two / one, MOST.cpu, "×"],
    ["posting to webhook, p99", p99(delays), MOST.delivery, "ms"],
  ];
  console.log(
    `\n${pace} a second for ${seconds} s each; a redemption: p99 ${p99(times.redeem).toFixed(1)} ms, ${one.toFixed(2)} ms CPU`,
  );
  let missed = 0;
  for (const [what, figure, most, unit] of rows) {
    const holds = figure <= most;
    if (!holds) missed++;
    console.log(
      `${what.padEnd(42)}${figure.toFixed(2).padStart(10)} ${unit}  ≤ ${most}  ${holds ? "holds" : "misses"}`,
    );
  }
  const missing = delays.filter((delay) => delay === Number.POSITIVE_INFINITY).length;
  console.log(`${posted.size} posted, ${missing} without an event`);
  return missed === 0 && missing === 0 ? 0 : 1;
});
