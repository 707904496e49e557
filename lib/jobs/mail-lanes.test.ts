import { type AddressInfo, createServer, type Socket } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterEach, expect, test, vi } from "vitest";
import type { Transport } from "@/lib/email/message";
import { queueEmail } from "@/lib/email/queue";
import { smtpTransport } from "@/lib/email/transports";
import { env } from "@/lib/env";
import { testDb } from "@/lib/testing/database";
import { uniqueEmail } from "@/lib/testing/factories";
import { addJob } from "./add-job";
import type { TaskTable } from "./queue";
import { runDue } from "./run-due";
import { CORE_TASKS, sweep } from "./task-registry";
import { runWorker } from "./worker";

const db = await testDb();
const FROM = "Loyalty Wallet <no-reply@wallet.test>";
const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await db.email.deleteMany();
  await db.$executeRaw`delete from graphile_worker._private_jobs`;
});

/** A mail server that confirms each message after `delay` milliseconds. */
async function acceptingServer(delay: number): Promise<{ url: string; recipients: string[] }> {
  const recipients: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onData(stream, session, done) {
      stream.resume().on("end", () => {
        recipients.push(session.envelope.rcptTo[0]?.address ?? "");
        setTimeout(done, delay);
      });
    },
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  closers.push(() => new Promise((closed) => server.close(() => closed())));
  const { port } = server.server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}`, recipients };
}

/** A mail server that accepts connections and never answers. */
async function silentServer(): Promise<{ url: string; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket.on("error", () => undefined)));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((closed) => server.close(() => closed()));
  });
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets };
}

const receipt = {
  merchant: "Karak",
  name: "Layla",
  kind: "TOP_UP",
  points: 10,
  balance: 10,
  rate: 100,
  balanceRate: 100,
  paid: 10,
  bonus: 0,
  tender: null,
  saleRef: null,
  branch: "The Pearl",
  at: new Date(),
  reference: "1",
  notMeUrl: "https://wallet.example/x",
} as const;

async function queueReceipts(count: number): Promise<void> {
  const mail = { to: "receipt@customer.test", template: "receipt", params: receipt, locale: "en" } as const;
  const id = await queueEmail(db, mail);
  await db.$executeRaw`
    insert into emails (lane, recipient, subject, text, html, locale)
    select lane, recipient, subject, text, html, locale from emails, generate_series(2, ${count}::int)
    where id = ${id}::uuid`;
}

function queueCode(to: string): Promise<string> {
  const params = { merchant: "Karak", code: "048213", minutes: 5 };
  return db.$transaction((tx) => queueEmail(tx, { to, template: "code_card_holder", params, locale: "en" }));
}

function startWorker(transport: Transport, tasks: TaskTable = CORE_TASKS): void {
  const worker = runWorker({ connectionString: env().DATABASE_URL, context: { db, transport }, tasks });
  closers.push(async () => {
    const stopped = worker.stop();
    // A server that never answers would otherwise hold the worker until the timeout.
    transport.close?.();
    await stopped;
  });
}

test("a code does not wait for four thousand receipts", { timeout: 120_000 }, async () => {
  await queueReceipts(4_000);
  const { url, recipients } = await acceptingServer(20);
  startWorker(smtpTransport(url, FROM));
  await vi.waitFor(() => expect(recipients.length).toBeGreaterThan(100), { timeout: 60_000, interval: 5 });
  const to = uniqueEmail();
  const before = recipients.length;
  await queueCode(to);
  await vi.waitFor(() => expect(recipients).toContain(to), { timeout: 60_000, interval: 5 });
  // At most the receipts that their own connections sent meanwhile, not the whole queue.
  expect(recipients.indexOf(to) - before).toBeLessThan(800);
  expect(await db.email.count({ where: { status: "queued" } })).toBeGreaterThan(500);
});

test("a silent mail server times out after our timeout, not after the library's", async () => {
  const { url } = await silentServer();
  const mail = { id: crypto.randomUUID(), recipient: "a@b.test", subject: "", text: "", html: "" };
  const transport = smtpTransport(url, FROM, { greeting: 300, silence: 2_000 });
  const started = Date.now();
  await expect(transport.send({ ...mail, lane: "receipt", createdAt: new Date() })).rejects.toThrow(
    "Greeting never received",
  );
  expect(Date.now() - started).toBeLessThan(5_000);
});

test("a silent mail server stops neither jobs nor sweeps", async () => {
  const { url, sockets } = await silentServer();
  await queueReceipts(20);
  let probed = 0;
  const probe = async () => {
    probed += 1;
  };
  startWorker(smtpTransport(url, FROM), { ...CORE_TASKS, probe });
  await vi.waitFor(() => expect(sockets.size).toBeGreaterThanOrEqual(4), { timeout: 60_000, interval: 20 });
  await db.rateLimit.create({ data: { key: "old", points: 1, expire: new Date(0) } });
  await addJob(db, "probe", {});
  await addJob(db, "sweep", {}, { key: "sweep" });
  await vi.waitFor(
    async () => {
      expect(probed).toBe(1);
      expect(await db.rateLimit.count({ where: { key: "old" } })).toBe(0);
    },
    { timeout: 60_000, interval: 50 },
  );
});

test("a claimed e-mail that is deleted before its turn is not sent", async () => {
  const sent: string[] = [];
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  const transport: Transport = {
    name: "smtp",
    connections: { account: 1, receipt: 1 },
    async send(mail) {
      sent.push(mail.id);
      if (sent.length === 1) await held;
    },
  };
  const ids: string[] = [];
  for (const to of ["first@b.test", "second@b.test", "third@b.test"]) ids.push(await queueCode(to));
  const run = runDue({ db, transport });
  await vi.waitFor(() => expect(sent).toHaveLength(1), { timeout: 60_000, interval: 10 });
  expect(await db.email.count({ where: { claimedBy: { not: null } } })).toBe(3);
  await db.email.delete({ where: { id: ids[1] ?? "" } });
  // Claims are checked again after half a second.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 1_000 });
  release();
  await run;
  vi.useRealTimers();
  expect(sent).toEqual([ids[0], ids[2]]);
});

test("a message that the server confirms late is sent once, also when another run starts meanwhile", async () => {
  const { url, recipients } = await acceptingServer(3_000);
  const transport = smtpTransport(url, FROM, { greeting: 10_000, silence: 20_000 });
  closers.push(() => transport.close?.());
  await queueReceipts(1);
  const first = runDue({ db, transport });
  await vi.waitFor(() => expect(recipients).toHaveLength(1), { timeout: 60_000, interval: 10 });
  // As if minutes had passed.
  await db.$executeRaw`update emails set next_try_at = now() - interval '1 minute' where status = 'queued'`;
  await sweep({ db, transport }, {});
  await runDue({ db, transport });
  await first;
  expect(recipients).toHaveLength(1);
  expect(await db.email.count({ where: { status: "sent" } })).toBe(1);
});
