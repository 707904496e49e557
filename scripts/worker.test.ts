import { spawn } from "node:child_process";
import { afterAll, expect, test, vi } from "vitest";
import { queueEmail } from "@/lib/email/queue";
import { testDb } from "@/lib/testing/database";
import { uniqueEmail } from "@/lib/testing/factories";
import { smtpServer } from "@/lib/testing/smtp-server";

const db = await testDb();
const closers: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closers.reverse()) await close();
});

test("npm run worker delivers while servers run no worker, and ends in order", {
  timeout: 120_000,
}, async () => {
  const server = await smtpServer();
  closers.push(server.close);
  const child = spawn(process.execPath, ["--import", "tsx", "scripts/worker.ts"], {
    env: { ...process.env, WORKER: "separate", SMTP_URL: server.url },
    stdio: "inherit",
  });
  closers.push(async () => child.kill("SIGKILL"));
  const params = { merchant: "Karak", code: "123456", minutes: 5 };
  const mail = { to: uniqueEmail(), template: "code_register", params, locale: "en" } as const;
  const id = await db.$transaction((tx) => queueEmail(tx, mail));
  const statusOf = async () => (await db.email.findUniqueOrThrow({ where: { id } })).status;
  await vi.waitFor(async () => expect(await statusOf()).toBe("sent"), { timeout: 60_000, interval: 100 });
  expect(server.messages).toHaveLength(1);

  const ended = new Promise((exit) => child.once("exit", exit));
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
  const [left] = await db.$queryRaw<{ workers: number }[]>`
    select count(*)::int as workers from background_workers`;
  expect(left?.workers).toBe(0);
});
