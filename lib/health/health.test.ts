import { afterEach, expect, test, vi } from "vitest";
import { getDb } from "@/lib/db/client";
import { queueEmail } from "@/lib/email/queue";
import { testDb } from "@/lib/testing/database";
import { publicContext, uniqueEmail } from "@/lib/testing/factories";
import { readiness } from "./health";

const db = await testDb();
const ready = () => readiness(publicContext(db), {});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

test("readiness requires the newest migration of the build, and no failed one", async () => {
  await expect(ready()).resolves.toMatchObject({ ready: true });
  vi.stubEnv("NEWEST_MIGRATION", "20261121000100_ledger");
  await expect(ready()).resolves.toMatchObject({ ready: true });
  vi.stubEnv("NEWEST_MIGRATION", "20991231235959_of_a_newer_build");
  await expect(ready()).rejects.toMatchObject({ code: "unavailable" });
});

test("readiness reports whether the program's role differs from the ledger's owner", async () => {
  await expect(readiness(publicContext(getDb()), {})).resolves.toMatchObject({ ready: true, apart: true });
  // The owner's connection, as in an installation with one URL.
  await expect(ready()).resolves.toMatchObject({ ready: true, apart: false });
});

test("readiness reports what waits by lane, and how long the oldest has been due", async () => {
  const params = { merchant: "Karak", code: "123456", minutes: 5 };
  for (let n = 0; n < 2; n++) {
    await queueEmail(db, { to: uniqueEmail(), template: "code_register", params, locale: "en" });
  }
  await db.$executeRaw`update emails set next_try_at = now() - interval '90 seconds'`;
  // The work is read again after five seconds.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 6_000 });
  const { backlog } = await ready();
  expect(backlog).toHaveLength(4);
  const mail = backlog?.find(({ lane }) => lane === "mail_account");
  expect(mail?.waiting).toBe(2);
  expect(mail?.oldestSeconds).toBeGreaterThanOrEqual(90);
  expect(backlog).toContainEqual({ lane: "mail_receipt", waiting: 0, oldestSeconds: 0 });
});

test("readiness does not tell strangers that an e-mail was just written", async () => {
  const mailed = async () =>
    (await ready()).backlog?.find(({ lane }) => lane === "mail_account") ?? {
      waiting: -1,
      oldestSeconds: -1,
    };
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 12_000 });
  const before = await mailed();
  const params = { name: "Sara", url: "https://wallet.test/reset-password/none", minutes: 30 };
  await queueEmail(db, { to: uniqueEmail(), template: "password_reset", params, locale: "en" });
  vi.setSystemTime(Date.now() + 6_000);
  expect((await mailed()).waiting).toBe(before.waiting);
  await db.$executeRaw`update emails set next_try_at = next_try_at - interval '11 seconds'`;
  vi.setSystemTime(Date.now() + 6_000);
  expect((await mailed()).waiting).toBe(before.waiting + 1);
  expect((await mailed()).oldestSeconds).toBeGreaterThanOrEqual(11);
});
