import { randomUUID } from "node:crypto";
import { afterEach, expect, test, vi } from "vitest";
import { env } from "@/lib/env";
import { addJob } from "@/lib/jobs/add-job";
import { runDue } from "@/lib/jobs/run-due";
import { jobContext } from "@/lib/jobs/task-registry";
import { runWorker } from "@/lib/jobs/worker";
import { TASKS } from "@/lib/tasks";
import { testDb } from "@/lib/testing/database";
import { makePassCard } from "@/lib/testing/passes";
import { startWalletServers } from "@/lib/testing/wallet-servers";
import { walletServices } from "./google-wallet";
import { issuePass } from "./pass-card";

const wallets = await startWalletServers();
const db = await testDb();
// Held answers stay held, however slow the machine is.
walletServices.patience = 600_000;
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  // The update that failed would be tried again in the next test.
  await db.$queryRaw`select 1 from graphile_worker.complete_jobs((select array_agg(id) from graphile_worker.jobs))`;
});

const patience = { timeout: 60_000, interval: 20 };
const waiting = () =>
  db.$queryRaw<{ task: string; attempts: number }[]>`
    select task_identifier as task, attempts from graphile_worker.jobs
    where task_identifier in ('push_pass', 'update_google_pass')`;

function startWorker(probe: () => Promise<void>): void {
  const connectionString = env().DATABASE_URL;
  const worker = runWorker({ connectionString, context: jobContext(), tasks: { ...TASKS, probe } });
  closers.push(worker.stop);
}

test("many pushes wait for Apple at once, on one connection, and hold up no other job", async () => {
  const held: (() => void)[] = [];
  wallets.appleHeld = held;
  for (let n = 0; n < 40; n++) await addJob(db, "push_pass", { pushToken: randomUUID() });
  let probed = 0;
  startWorker(async () => {
    probed += 1;
  });
  await vi.waitFor(() => expect(held).toHaveLength(16), patience);
  await addJob(db, "probe", {});
  await vi.waitFor(() => expect(probed).toBe(1), patience);
  expect(held).toHaveLength(16);
  wallets.appleHeld = undefined;
  for (const answer of held) answer();
  await vi.waitFor(async () => expect(await waiting()).toEqual([]), patience);
  expect(new Set(wallets.pushes.map(({ path }) => path)).size).toBe(40);
  expect(wallets.pushes).toHaveLength(40);
  expect(wallets.appleConnections).toBe(1);
});

test("a Google update that fails is retried alone; its neighbours are done once", async () => {
  const cards = await Promise.all(Array.from({ length: 12 }, () => makePassCard(db)));
  for (const { customer } of cards) {
    await issuePass(db, customer.id);
    await addJob(db, "update_google_pass", { customerId: customer.id });
  }
  wallets.googleAnswers = [500];
  startWorker(async () => {});
  await vi.waitFor(async () => {
    expect(wallets.patched).toHaveLength(12);
    expect(await waiting()).toEqual([{ task: "update_google_pass", attempts: 1 }]);
  }, patience);
  expect(new Set(wallets.patched.map(({ path }) => path)).size).toBe(12);
});

test("of two updates of one card at once, the older one arriving last does not stay at Google", async () => {
  const { add, customer } = await makePassCard(db);
  await issuePass(db, customer.id);
  const { serial } = await db.pass.update({
    where: { customerId: customer.id },
    data: { googleSaved: true },
  });
  const held: (() => void)[] = [];
  wallets.googleHeld = held;
  startWorker(async () => {});
  await add(10);
  await vi.waitFor(() => expect(held).toHaveLength(1), patience);
  wallets.googleHeld = undefined;
  const balances = () =>
    wallets.patched
      .filter(({ path }) => path.endsWith(`.${serial}`))
      .map(({ body }) => (body as { loyaltyPoints: { balance: { int: number } } }).loyaltyPoints.balance.int);
  await add(5);
  await vi.waitFor(() => expect(balances()).toEqual([15]), patience);
  held[0]?.();
  await vi.waitFor(() => expect(balances()).toEqual([15, 10, 15]), patience);
  await vi.waitFor(async () => expect(await waiting()).toEqual([]), patience);
});

test("where no worker runs, a receipt does not wait for Apple's silence", async () => {
  const held: (() => void)[] = [];
  wallets.appleHeld = held;
  await addJob(db, "push_pass", { pushToken: randomUUID() });
  const { add, customer } = await makePassCard(db);
  await add(10);
  const run = runDue(undefined, TASKS);
  try {
    await vi.waitFor(() => expect(held).toHaveLength(1), patience);
    const receipt = { recipient: customer.email ?? "", lane: "receipt" as const };
    const sent = async () => (await db.email.findFirst({ where: receipt }))?.status;
    await vi.waitFor(async () => expect(await sent()).toBe("sent"), patience);
    // The push to Apple is still under way.
    expect(await waiting()).toEqual([{ task: "push_pass", attempts: 1 }]);
  } finally {
    wallets.appleHeld = undefined;
    for (const answer of held) answer();
    await run;
  }
});
