import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { createDb, getDb } from "@/lib/db/client";
import { requiredSql } from "@/lib/db/sql-files";
import { queueEmail } from "@/lib/email/queue";
import { tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { makeMerchant, publicContext, uniqueEmail } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { readiness } from "./health";
import type { Handler } from "./match";

const branches = handlerOf("GET", "branches");
const alive = handlerOf("GET", "health");
const isReady = handlerOf("GET", "ready");

const db = await testDb();
const ready = () => readiness(publicContext(db), {});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

test("readiness requires every migration and every SQL text of the build, and no failed migration", async () => {
  await expect(ready()).resolves.toMatchObject({ ready: true });
  const own = requiredSql(join(process.cwd(), "prisma"));
  const build = (changed: Partial<typeof own>) =>
    vi.stubEnv("REQUIRED_SQL", JSON.stringify({ ...own, ...changed }));
  build({});
  await expect(ready()).resolves.toMatchObject({ ready: true });
  // The older of two builds: it does not know what the newer one applied.
  build({ migrations: own.migrations.slice(0, 1), texts: {} });
  await expect(ready()).resolves.toMatchObject({ ready: true });
  build({ migrations: [...own.migrations, "20991231235959_of_a_newer_build"] });
  await expect(ready()).rejects.toMatchObject({ code: "unavailable" });
  build({ texts: { ...own.texts, "functions/ledger/post_row": "of a newer build" } });
  await expect(ready()).rejects.toMatchObject({ code: "unavailable" });
  build({});
  await db.$executeRaw`insert into _prisma_migrations (id, checksum, migration_name) values ('one', '', 'failed')`;
  await expect(ready()).rejects.toMatchObject({ code: "unavailable" });
  await db.$executeRaw`delete from _prisma_migrations where id = 'one'`;
});

test("a database that was restored into another cluster is not ready before it is migrated", async () => {
  await db.$executeRaw`update ledger_progress set to_tx = 9000000000 where what = 'seals'`;
  await expect(ready()).rejects.toMatchObject({ code: "unavailable" });
  // As the migration does.
  await db.$executeRaw`update ledger_settings set tx_base = 9000000000`;
  await expect(ready()).resolves.toMatchObject({ ready: true });
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
  expect(backlog).toHaveLength(5);
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

test("without the database the process is alive, also for a caller with a session, and is not ready", async () => {
  const { wallet: made } = globalThis as typeof globalThis & { wallet?: Map<string, unknown> };
  const kept = getDb();
  const { owner } = await makeMerchant(db);
  const headers = { authorization: await tokenOf(db, owner), cookie: "wallet-device=none" };
  // Nothing listens there.
  const absent = createDb("postgresql://nobody:nothing@127.0.0.1:1/none");
  made?.set("db", absent);
  try {
    const ask = (handler: Handler) =>
      handler(new Request("http://localhost:3000/api/test", { headers }), { params: {} });
    expect((await ask(alive)).status).toBe(200);
    const away = await ask(isReady);
    expect([away.status, away.headers.get("retry-after")]).toEqual([503, "2"]);
    expect(await away.json()).toMatchObject({ code: "unavailable" });
    const page = await ask(branches);
    expect([page.status, page.headers.get("retry-after")]).toEqual([503, "2"]);
  } finally {
    await absent.$disconnect();
    made?.set("db", kept);
  }
});
