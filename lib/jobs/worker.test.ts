import { expect, test, vi } from "vitest";
import { queueEmail } from "@/lib/email/queue";
import { transportFor } from "@/lib/email/transports";
import { env } from "@/lib/env";
import { TASKS } from "@/lib/tasks";
import { testDb } from "@/lib/testing/database";
import { uniqueEmail } from "@/lib/testing/factories";
import { smtpServer } from "@/lib/testing/smtp-server";
import { addJob } from "./add-job";
import type { TaskTable } from "./queue";
import { runCron } from "./run-due";
import { CORE_TASKS } from "./task-registry";
import { runWorker } from "./worker";

const db = await testDb();

test("the worker delivers without delay, reconnects after Postgres closes its connections, and stops", async () => {
  const server = await smtpServer();
  const transport = transportFor({ ...env(), SMTP_URL: server.url });
  const options = { connectionString: env().DATABASE_URL, context: { db, transport }, tasks: CORE_TASKS };
  const queue = () =>
    db.$transaction((tx) =>
      queueEmail(tx, {
        to: uniqueEmail(),
        template: "code_register",
        params: { merchant: "Karak", code: "123456", minutes: 5 },
        locale: "en",
      }),
    );
  const delivered = (count: number) =>
    vi.waitFor(() => expect(server.messages).toHaveLength(count), { timeout: 60_000, interval: 20 });

  // With such a long poll interval the worker depends on LISTEN.
  let probed = 0;
  const probe = async () => {
    probed += 1;
  };
  const notifiedWorker = runWorker({ ...options, tasks: { ...CORE_TASKS, probe }, pollInterval: 600_000 });
  for (const times of [1, 2]) {
    await addJob(db, "probe", {});
    await vi.waitFor(() => expect(probed).toBe(times), { timeout: 60_000, interval: 20 });
    await queue();
    await delivered(times);
  }
  await notifiedWorker.stop();
  const worker = runWorker(options);

  const waiting = () => db.email.count({ where: { status: "queued" } });
  // A delivered e-mail is done only when its result is recorded; otherwise it is sent again.
  const allDone = () =>
    vi.waitFor(async () => expect(await waiting()).toBe(0), { timeout: 60_000, interval: 20 });

  await allDone();
  await db.$queryRaw`
    select pg_terminate_backend(pid)::text from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  await vi.waitFor(queue, { timeout: 60_000 });
  await delivered(3);
  await allDone();

  await worker.stop();
  await queue();
  expect(await waiting()).toBe(1);
  await server.close();
});

test("what the worker does by the clock is what a scheduler's call does, but for the nightly repair", async () => {
  const transport = transportFor({ ...env(), SMTP_URL: undefined });
  const context = { db, transport };
  const done = new Set<string>();
  const noted: TaskTable = Object.fromEntries(
    Object.keys(TASKS).map((name) => [name, async () => void done.add(name)]),
  );
  await runCron(context, noted);
  done.delete("follow_postings");
  done.delete("deliver_webhooks");

  const worker = runWorker({ connectionString: env().DATABASE_URL, context, tasks: TASKS });
  const scheduled = async () => {
    const rows = await db.$queryRaw<{ name: string }[]>`
      select distinct regexp_replace(identifier, '_(midnight|hourly)$', '') as name
      from graphile_worker._private_known_crontabs order by name`;
    return rows.map(({ name }) => name);
  };
  await vi.waitFor(async () => expect(await scheduled()).toEqual([...done, "mend_sums"].sort()), {
    timeout: 60_000,
    interval: 50,
  });
  await worker.stop();
});
