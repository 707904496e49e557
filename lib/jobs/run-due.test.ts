import { expect, test } from "vitest";
import { queueEmail } from "@/lib/email/queue";
import { transportFor } from "@/lib/email/transports";
import { env } from "@/lib/env";
import { addJob } from "@/lib/jobs/add-job";
import { testDb } from "@/lib/testing/database";
import { uniqueEmail } from "@/lib/testing/factories";
import { runCron, runDue } from "./run-due";

const db = await testDb();
const context = { db, transport: transportFor(env()) };

const connections = async () =>
  (
    await db.$queryRaw<{ open: number }[]>`
      select count(*)::int as open from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query ilike '%graphile_worker%'`
  )[0]?.open ?? 0;

test("concurrent calls share one pool, run one at a time, and finish the jobs queued before each call", async () => {
  let running = 0;
  let maximum = 0;
  let done = 0;
  const tasks = {
    async probe() {
      running += 1;
      maximum = Math.max(maximum, running, await connections());
      running -= 1;
      done += 1;
    },
  };
  const request = async (n: number) => {
    await addJob(db, "probe", {}, { key: `probe ${n}` });
    await runDue(context, tasks);
    const left = await db.$queryRaw<
      unknown[]
    >`select 1 from graphile_worker.jobs where key = ${`probe ${n}`}`;
    expect(left).toEqual([]);
  };
  await Promise.all(Array.from({ length: 32 }, (_, n) => request(n)));
  expect(done).toBe(32);
  // The pool of the queue, and the pool of the test's database client.
  expect(maximum).toBeLessThanOrEqual(7 + 20);
});

test("a pass update does not wait for the jobs of a thousand movements", async () => {
  const order: string[] = [];
  const task = (name: string) => async () => {
    order.push(name);
  };
  const specs = Array.from({ length: 1_000 }, () => "movement_posted");
  await db.$queryRaw`
    select count(*)::int from graphile_worker.add_jobs(array(
      select (task, '{}'::json, null, null, null, null, null, null)::graphile_worker.job_spec
      from unnest(${specs}::text[]) as task))`;
  await addJob(db, "push_pass", {});
  await runDue(context, { movement_posted: task("movement"), push_pass: task("pass") });
  expect(order).toHaveLength(1_001);
  // Jobs run side by side, and the one that was fetched first may start last of those few.
  expect(order.indexOf("pass")).toBeLessThan(50);
});

test("a person does not wait for the next run for a link that a job mails", async () => {
  const to = uniqueEmail("waits");
  const mails = {
    async mail_link() {
      const params = { name: null, url: "https://wallet.example/reset", minutes: 30 };
      await queueEmail(db, { to, template: "password_reset", params, locale: "en" });
    },
  };
  await addJob(db, "mail_link", {});
  await runDue(context, mails);
  expect(await db.email.findFirstOrThrow({ where: { recipient: to } })).toMatchObject({ status: "sent" });
});

test("scheduled tasks that fail keep neither each other nor the queued jobs waiting, and the run fails", async () => {
  const done: string[] = [];
  const task = (name: string) => async () => {
    done.push(name);
  };
  const fails = async () => {
    throw new Error("the task failed");
  };
  const tasks = { sweep: fails, apply_pending: fails, seal: task("seal"), probe: task("probe") };
  await addJob(db, "probe", {});
  await expect(runCron(context, tasks)).rejects.toThrow("the task failed");
  expect(done).toEqual(["seal", "probe"]);
});
