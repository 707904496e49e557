import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { transportFor } from "@/lib/email/transports";
import { env } from "@/lib/env";
import { explainStatements, testDb } from "@/lib/testing/database";
import { makeMerchant } from "@/lib/testing/factories";
import { makeTill } from "@/lib/testing/tills";
import { addJob } from "./add-job";
import { EXPIRED_SESSIONS, sweep } from "./task-registry";

const db = await testDb();
const DAY = 24 * 60 * 60 * 1000;
const ago = (days: number) => new Date(Date.now() - days * DAY);
const context = { db, transport: transportFor(env()) };

test("removes rows that expired long ago and keeps recent ones", async () => {
  const { owner } = await makeMerchant(db);
  const session = (expiresAt: Date, revokedAt: Date | null = null) =>
    db.session.create({ data: { userId: owner.id, expiresAt, revokedAt }, select: { id: true } });
  await session(ago(8));
  await session(ago(-1), ago(8));
  const kept = [await session(ago(1)), await session(ago(-1)), await session(ago(-1), ago(1))];
  const code = (expiresAt: Date) =>
    db.code.create({ data: { purpose: "register", email: "a@b.test", codeHash: randomUUID(), expiresAt } });
  await code(ago(2));
  const recent = await code(ago(0.5));
  await db.rateLimit.createMany({
    data: [
      { key: "old", points: 1, expire: ago(1) },
      { key: "new", points: 1, expire: ago(-1) },
    ],
  });
  const mail = (status: "sent" | "failed", nextTryAt: Date) =>
    db.email.create({
      data: { recipient: "a@b.test", subject: "", text: "", html: "", locale: "en", status, nextTryAt },
    });
  await mail("sent", ago(31));
  await mail("failed", ago(31));
  const mails = [await mail("sent", ago(29)), await mail("failed", ago(29))];

  await sweep(context, {});

  const left = await db.email.findMany({ select: { id: true } });
  expect(left.map(({ id }) => id).sort()).toEqual(mails.map(({ id }) => id).sort());
  const sessions = await db.session.findMany({ select: { id: true } });
  expect(sessions.map(({ id }) => id).sort()).toEqual(kept.map(({ id }) => id).sort());
  expect(await db.code.findMany({ select: { id: true } })).toEqual([{ id: recent.id }]);
  expect(await db.rateLimit.findMany({ select: { key: true } })).toEqual([{ key: "new" }]);
});

test("unlocks the jobs of an unregistered dead process, and keeps failed jobs for a week", async () => {
  const jobs = () => db.$queryRaw<unknown[]>`select key, locked_by from graphile_worker.jobs order by key`;
  for (const key of ["a", "given up", "long given up", "superseded"]) await addJob(db, "probe", {}, { key });
  await db.$executeRaw`
    update graphile_worker._private_jobs set attempts = max_attempts,
      updated_at = now() - case key when 'given up' then interval '6 days' else interval '8 days' end
    where key like '%given up'`;
  await db.$executeRaw`
    update graphile_worker._private_jobs set locked_by = 'dead', locked_at = now() - interval '4 minutes'
    where key in ('a', 'superseded')`;
  await addJob(db, "probe", {}, { key: "superseded" });
  await sweep(context, {});
  expect(await jobs()).toEqual(["a", "given up", "superseded"].map((key) => ({ key, locked_by: null })));
});

test("expired sessions are found by an index", async () => {
  const { owner } = await makeMerchant(db);
  await db.$executeRaw`
    insert into sessions (id, user_id, handle, expires_at, revoked_at)
    select gen_random_uuid(), ${owner.id}::uuid, gen_random_uuid(), case when n > 5 then now() + interval '1 day' else ${ago(8)}::timestamptz end,
      case when n between 6 and 10 then ${ago(8)}::timestamptz end
    from generate_series(1, 12000) n`;
  await db.$executeRaw`analyze sessions`;
  const watched = explainStatements(db);
  expect(await watched.db.$queryRaw<unknown[]>(EXPIRED_SESSIONS)).toHaveLength(10);
  expect(watched.statements).toMatchObject([{ scanned: [], read: 10 }]);
});

test("a till keeps its last session, which says who was there last", async () => {
  const shop = await makeMerchant(db);
  const [{ till }, other] = [await makeTill(db, shop), await makeTill(db, shop)];
  const session = (days: number, tillId: string) => {
    const at = { createdAt: ago(days), lastSeenAt: ago(days), expiresAt: ago(days), revokedAt: ago(days) };
    return db.session.create({ data: { userId: shop.owner.id, tillId, ...at }, select: { id: true } });
  };
  await session(30, till.id);
  const kept = [await session(20, till.id), await session(1, other.till.id)];
  await session(9, other.till.id);
  await sweep(context, {});
  const left = await db.session.findMany({ where: { userId: shop.owner.id }, select: { id: true } });
  expect(left.map(({ id }) => id).sort()).toEqual(kept.map(({ id }) => id).sort());
});
