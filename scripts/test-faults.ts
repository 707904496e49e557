import { generateKeyPairSync, randomInt, randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Db } from "@/lib/db/client";
import { tokenOf } from "@/lib/testing/calls";
import { makeCustomer, makeMerchant, makeWorker } from "@/lib/testing/factories";
import { random } from "@/lib/testing/ledger-world";
import { s3Server } from "@/lib/testing/s3-server";
import { smtpServer } from "@/lib/testing/smtp-server";
import {
  clockFault,
  diskFault,
  type Fault,
  isKill,
  lockFault,
  MOOD_FAULTS,
  OUTAGES,
  type Services,
  smallDisk,
} from "@/lib/testing/trials/faults/faults";
import { holdsFault } from "@/lib/testing/trials/faults/holds";
import { auditBooks, Load, openShop, postJson } from "@/lib/testing/trials/faults/load";
import { Outside, Program } from "@/lib/testing/trials/faults/program";
import { isNamed, Table } from "@/lib/testing/trials/trials";
import { ensureBuild } from "./lib/build";
import { atEnd, folderUntilEnd, runCommand, untilEnd } from "./lib/command";
import { withDb } from "./lib/with-db";

const isLong = process.env.LONG === "1";
const given = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise);
/** The kinds of kill -9, which share the postings and the kills of the long form: a million, and a hundred. */
const KINDS = OUTAGES.filter(isKill).length;
/** Clients; postings and kills of each kind. */
const [CLIENTS, POSTINGS, KILLS] = isLong
  ? [64, Math.ceil(given("POSTINGS", 1_000_000) / KINDS), Math.ceil(given("KILLS", 100) / KINDS)]
  : [8, given("POSTINGS", 120), given("KILLS", 1)];
/** Milliseconds between an answer and a client's next posting: in the short form, what starts again has the processor. */
const PACE = isLong ? 0 : 40;
/** The numbers for faults that do not kill again and again: fewer are enough. */
const FEW = { postings: Math.min(POSTINGS, 10_000), kills: Math.min(KILLS, 10) };
const DISK_MB = 400;

/** Milliseconds of each of the two measurements, and the connections of the employee and of the neighbour. */
const SPAN = isLong ? 60_000 : 6_000;
const [SPITEFUL, NEIGHBOURS] = [12, 4];
const CARDS = 12;
/** So many calls in a row may use one new key, so that it is asked for at several counters at once. */
const SAME_KEY = 8;
/** The neighbour's p95 at most: Postgres looks for a deadlock after a second, and postings wait until then. */
const LATEST = 900;

/** The employee's answers, by status. Without both of these the trial tries nothing: undone again, and a key refused. */
const NEEDED = [200, 422];

type Call = { path: string; key: string; body: object };

/** An employee's cards, each with a top-up that was undone, and what may be repeated of them. */
async function openSpite(db: Db, url: string) {
  const shop = await makeMerchant(db, { workerDailyCap: null });
  const worker = await makeWorker(db, shop);
  const tokens = await Promise.all(Array.from({ length: SPITEFUL }, () => tokenOf(db, worker)));
  const authorization = tokens[0] ?? "";
  const calls: { used: Call; undo: string }[] = [];
  for (let nth = 0; nth < CARDS; nth++) {
    const customer = await makeCustomer(db, shop);
    const body = { customerId: customer.id, sPoints: 3, iBranchId: shop.branch.id };
    const used = { path: "/api/top-up-points", key: randomUUID(), body };
    const answer = await postJson(url + used.path, body, { authorization, "idempotency-key": used.key });
    const id = (JSON.parse(answer.text) as { data?: { _id?: string } }).data?._id;
    const undo = `/api/transactions/${id}/reverse`;
    const undone = await postJson(url + undo, {}, { authorization, "idempotency-key": randomUUID() });
    if (undone.status !== 200) throw new Error(`nothing was undone: ${undone.text}`);
    calls.push({ used, undo });
  }
  let [key, sent] = ["", 0];
  const next = (pick: (below: number) => number): Call => {
    if (sent++ % SAME_KEY === 0) key = randomUUID();
    const [one, other] = [calls[pick(CARDS)], calls[pick(CARDS)]];
    if (!one || !other) throw new Error("no cards");
    const topUp = { ...one.used, body: { ...one.used.body, sPoints: 1 + pick(3) } };
    const way = pick(7);
    // Most calls: a key that a reversal answers, beside top-ups that hold the employee's day.
    if (way < 2) return { path: one.undo, key, body: {} };
    if (way < 4) return { ...topUp, key: randomUUID() };
    if (way === 4) return { ...topUp, key };
    if (way === 5) return one.used;
    return { path: one.undo, key: other.used.key, body: {} };
  };
  return { tokens, next };
}

/** A share of sorted times, in milliseconds: 0.95 for the p95. */
const at = (sorted: number[], share: number) =>
  Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);

async function deadlocks(db: Db): Promise<number> {
  const [row] = await db.$queryRaw<{ n: number }[]>`
    select deadlocks::int as n from pg_stat_database where datname = current_database()`;
  return row?.n ?? 0;
}

/** One employee repeats used keys and undoes reversed movements as fast as allowed; a neighbour is measured. */
const usedKeysFault: Fault = {
  name: "one employee repeats used keys, a neighbour tops up",
  patience: 5_000,
  async run({ program, load }) {
    const seed = Number(process.env.SEED ?? randomInt(2 ** 31));
    const pick = random(seed).below;
    const url = program.urls[0] ?? "";
    return withDb(program.ownerUrl, async (db) => {
      const [spite, before] = [await openSpite(db, url), await deadlocks(db)];
      const { customers, tokens, branchId } = await openShop(program.ownerUrl, NEIGHBOURS, 1);
      const answers = new Map<number, number>();
      const measure = async (spiteful: string[]) => {
        const until = performance.now() + SPAN;
        const times: number[] = [];
        const neighbours = tokens.map(async (authorization, nth) => {
          while (performance.now() < until) {
            const customerId = customers[(nth * 3 + times.length) % customers.length];
            const body = { customerId, sPoints: 1, iBranchId: branchId };
            const headers = { authorization, "idempotency-key": randomUUID() };
            const began = performance.now();
            const answer = await postJson(`${url}/api/top-up-points`, body, headers);
            if (answer.status !== 200) load.countSenseless(answer.status, answer.text);
            times.push(performance.now() - began);
            await pause(20);
          }
        });
        const others = spiteful.map(async (authorization, nth) => {
          const server = program.urls[nth % program.urls.length] ?? url;
          while (performance.now() < until) {
            const { path, key, body } = spite.next(pick);
            const answer = await postJson(server + path, body, { authorization, "idempotency-key": key });
            answers.set(answer.status, (answers.get(answer.status) ?? 0) + 1);
            if (answer.status >= 500) load.countSenseless(answer.status, answer.text);
            await pause(5);
          }
        });
        await Promise.all([...neighbours, ...others]);
        return times.sort((a, b) => a - b);
      };
      let [calm, spited]: number[][] = [[], []];
      await load.run(1, async () => {
        calm = await measure([]);
        spited = await measure(spite.tokens);
      });
      // Postgres counts a deadlock a moment after it ended one.
      await pause(1_500);
      const ended = (await deadlocks(db)) - before;
      const late = at(spited ?? [], 0.95);
      const wrong = (what: string) => load.countSenseless(0, `${what}, seed ${seed}`);
      if (ended > 0) wrong(`deadlocks: ${ended}`);
      if (late > LATEST) wrong(`p95 of top-ups was ${late} ms`);
      for (const status of NEEDED) if (!answers.has(status)) wrong(`no repeat was answered ${status}`);
      const repeats = [...answers].sort().map(([status, times]) => `${times} × ${status}`);
      const shown = (times: number[] = []) => `p95 ${at(times, 0.95)} ms, longest ${at(times, 1)} ms`;
      return `seed ${seed}; alone ${shown(calm)}; beside it ${shown(spited)}; repeats ${repeats.join(", ")}; ${ended} deadlocks`;
    });
  },
};

/** Plays a fault under load, and adds a row with what became of the postings. */
async function withFault(
  table: Table,
  fault: Fault,
  { program, outside }: Stage,
  headers: Record<string, string> = {},
): Promise<void> {
  const { postings, kills } = isKill(fault) ? { postings: POSTINGS, kills: KILLS } : FEW;
  const began = performance.now();
  const shop = await openShop(program.ownerUrl, CLIENTS, postings);
  const load = new Load(() => program.urls, shop, { headers, pace: PACE });
  const underWay = performance.now();
  const remark = await fault.run({ program, load, outside, postings, kills });
  const loaded = (performance.now() - underWay) / 1_000;
  const { acknowledged, found, lost, doubled, wrong } = await auditBooks(program.ownerUrl, load);
  const silence = load.longestSilence;
  const held = lost + doubled + wrong.length === 0 && acknowledged >= postings && silence <= fault.patience;
  const times = [silence, performance.now() - began].map((ms) => `${(ms / 1_000).toFixed(1)} s`);
  const figures = [acknowledged, found, lost, doubled, Math.round(acknowledged / loaded), ...times];
  table.row(fault.name, held, figures, [remark, ...wrong].filter(Boolean).join("; "));
  program.explain([...load.senseless.keys()].join("\n"));
}

type Stage = { program: Program; outside: Services };

/** Starts a program in a separate folder, with mail and store that may misbehave, without Apple and Google. */
async function stage(dataDir: string, servers: number): Promise<Stage> {
  const [mail, store] = [await untilEnd(smtpServer({ forget: true })), await untilEnd(s3Server())];
  const outside = {
    mail: await untilEnd(Outside.open(mail.port)),
    storage: await untilEnd(Outside.open(Number(new URL(store.endpoint).port))),
    Apple: await untilEnd(Outside.open()),
    Google: await untilEnd(Outside.open()),
  };
  const at = (service: Outside) => `127.0.0.1:${service.port}`;
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const key = privateKey.export({ type: "pkcs8", format: "pem" });
  const settings = {
    SMTP_URL: `smtp://${at(outside.mail)}`,
    ...store.settings,
    S3_ENDPOINT: `http://${at(outside.storage)}`,
    APPLE_APNS_URL: `http://${at(outside.Apple)}`,
    GOOGLE_WALLET_ISSUER_ID: "3388000000000000001",
    GOOGLE_WALLET_KEY: JSON.stringify({ client_email: "wallet@project.iam.test", private_key: key }),
    GOOGLE_WALLET_URL: `http://${at(outside.Google)}`,
    GOOGLE_TOKEN_URL: `http://${at(outside.Google)}/token`,
  };
  return { program: await untilEnd(Program.start(dataDir, servers, settings)), outside };
}

// npm run test:faults [-- name part …]: each fault under load; afterwards every acknowledged posting is there once, and the
// ledger verifies. LONG=1: a million postings and a hundred kills (POSTINGS and KILLS scale it), meant for an hour of a quiet machine.
await runCommand(async () => {
  await ensureBuild();
  const folder = folderUntilEnd("faults");
  const table = new Table(56, ["acked", "found", "lost", "doubled", "a second", "silence", "took"]);
  const disk = join(folder, "disk");
  const fullDisk = async () => {
    const fault = diskFault(disk);
    if (!isNamed(fault.name)) return;
    const unmount = smallDisk(disk, DISK_MB);
    if (!unmount) return table.notRun(fault.name, "only root may make a small file system");
    atEnd(unmount);
    const full = await stage(disk, 1);
    await withFault(table, fault, full);
    await full.program.stop();
  };
  const usual = await stage(join(folder, "data"), 2);
  const play = async (fault: Fault, headers = {}) => {
    if (isNamed(fault.name)) await withFault(table, fault, usual, headers);
  };
  const inTurn = async (faults: readonly Fault[]) => {
    for (const fault of faults) await play(fault);
  };
  const wrongClock = (days: number) => {
    const date = new Date(Date.now() + days * 86_400_000).toUTCString();
    return play(clockFault, { date, "x-client-date": date });
  };
  // First and alone, since times are measured.
  await play(usedKeysFault);
  await play(holdsFault);
  // The full disk is another program's, which in the short form runs while this one starts again and again.
  if (isLong) await inTurn(OUTAGES);
  else await Promise.all([inTurn(OUTAGES), fullDisk()]);
  const calm = [() => inTurn(MOOD_FAULTS), () => play(lockFault), () => wrongClock(-1), () => wrongClock(1)];
  // The program serves as usual through these, so that the short form plays them side by side.
  if (isLong) for (const one of [...calm, fullDisk]) await one();
  else await Promise.all(calm.map((one) => one()));
  return table.end();
});
