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
