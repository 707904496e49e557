import { type ChildProcess, spawn } from "node:child_process";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, expect, test, vi } from "vitest";
import { queueEmail } from "@/lib/email/queue";
import { transportFor } from "@/lib/email/transports";
import { env } from "@/lib/env";
import { testDb } from "@/lib/testing/database";
import { uniqueEmail } from "@/lib/testing/factories";
import { smtpServer } from "@/lib/testing/smtp-server";
import { addJob } from "./add-job";
import { runWorker } from "./worker";

const db = await testDb();
const closers: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

test("jobs of a process that died before it registered their pool are due again", async () => {
  const age = { "pool-dead": 20, "pool-starting": 5, "pool-alive": 20 };
  for (const [pool, seconds] of Object.entries(age)) {
    await addJob(db, "lost", {});
    await db.$executeRaw`
      update graphile_worker._private_jobs j set locked_by = ${pool}, locked_at = now() - ${seconds} * interval '1 second'
      from graphile_worker.jobs v where v.id = j.id and v.task_identifier = 'lost' and v.locked_by is null`;
  }
  await db.$executeRaw`insert into background_workers (id, job_pool) values (gen_random_uuid(), 'pool-alive')`;
  await db.$executeRaw`select take_over_from_dead(interval '15 seconds')`;
  const held = await db.$queryRaw<{ by: string | null }[]>`
    select locked_by as by from graphile_worker.jobs where task_identifier = 'lost' order by id`;
  expect(held.map(({ by }) => by)).toEqual([null, "pool-starting", "pool-alive"]);
});

/** A mail server that never answers, so that a sender is still waiting when its process is killed. */
async function silentUrl(): Promise<string> {
  const server = createServer((socket) => void socket.on("error", () => undefined));
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  closers.push(async () => server.close());
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function startProcess(smtpUrl: string): ChildProcess {
  const args = ["--import", "tsx", "lib/testing/worker-process.ts"];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, SMTP_URL: smtpUrl },
    stdio: "inherit",
  });
  closers.push(async () => child.kill("SIGKILL"));
  return child;
}

const jobs = () =>
  db.$queryRaw<{ task: string; locked: boolean }[]>`
    select task_identifier as task, locked_by is not null as locked from graphile_worker.jobs
    where task_identifier = 'stall'`;

test("another process finishes the jobs and e-mails of a killed process", {
  timeout: 300_000,
}, async () => {
  const child = startProcess(await silentUrl());
  const params = { merchant: "Karak", code: "123456", minutes: 5 };
  const mail = { to: uniqueEmail(), template: "code_register", params, locale: "en" } as const;
  const id = await db.$transaction((tx) => queueEmail(tx, mail));
  await addJob(db, "stall", {});
  await addJob(db, "stall", {}, { key: "stall" });
  const held = { timeout: 60_000, interval: 50 };
  await vi.waitFor(async () => {
    expect((await jobs()).filter(({ locked }) => locked)).toHaveLength(2);
    expect(await db.email.findUniqueOrThrow({ where: { id } })).toMatchObject({ attempts: 1 });
  }, held);
  // A job with the same key is queued while the first one runs, so the queue keeps both rows.
  await addJob(db, "stall", {}, { key: "stall" });
  await vi.waitFor(async () => expect((await jobs()).every(({ locked }) => locked)).toBe(true), held);
  const gone = new Promise((exit) => child.once("exit", exit));
  child.kill("SIGKILL");
  await gone;

  const server = await smtpServer();
  closers.push(server.close);
  const done: unknown[] = [];
  const worker = runWorker({
    connectionString: env().DATABASE_URL,
    context: { db, transport: transportFor({ ...env(), SMTP_URL: server.url }) },
    tasks: { stall: async (_, payload) => void done.push(payload) },
  });
  closers.push(worker.stop);
  await vi.waitFor(
    async () => {
      expect(await jobs()).toEqual([]);
      expect((await db.email.findUniqueOrThrow({ where: { id } })).status).toBe("sent");
    },
    // A quiet machine needs about 20 seconds; a busy one gets more before the test fails.
    { timeout: 180_000, interval: 100 },
  );
  expect(done).toHaveLength(2);
  expect(server.messages).toHaveLength(1);
});
