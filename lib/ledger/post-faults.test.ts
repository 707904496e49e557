import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { createDb } from "@/lib/db/client";
import { testDb } from "@/lib/testing/database";
import { makeCustomer, makeMerchant } from "@/lib/testing/factories";
import { type Posting, postBatch } from "./batch";
import { post } from "./post";

const db = await testDb();

beforeAll(async () => {
  await db.$executeRaw`ALTER FUNCTION lock_for_posting SET lock_timeout = '300ms'`;
});

async function counter() {
  const house = await makeMerchant(db);
  const customer = await makeCustomer(db, house);
  const row = (more: Partial<Posting> = {}): Posting => ({
    type: "TOP_UP",
    customer: customer.id,
    branch: house.branch.id,
    actor: house.owner.id,
    scope: "any",
    points: 5,
    key: randomUUID(),
    hash: "h",
    ...more,
  });
  return { house, customer, row };
}

const jobsOf = (movementId: string) => db.$queryRaw<{ task: string }[]>`
  SELECT t.identifier AS task FROM graphile_worker._private_jobs j
  JOIN graphile_worker._private_tasks t ON t.id = j.task_id
  WHERE j.payload ->> 'movementId' = ${movementId}`;

test("each posted movement is handed to the job queue in the same transaction, an import is not", async () => {
  const { row } = await counter();
  const [posted] = await postBatch(db, [row()]);
  const [imported] = await postBatch(db, [row({ type: "IMPORT" })], { quiet: true });
  const idOf = (outcome: typeof posted) => (outcome && "movement" in outcome ? outcome.movement.id : "");
  expect(await jobsOf(idOf(posted))).toEqual([{ task: "movement_posted" }]);
  expect(idOf(imported)).not.toBe("");
  expect(await jobsOf(idOf(imported))).toEqual([]);
});

test("a customer who stays locked delays nobody else for long, and is answered unavailable", async () => {
  const { row, house, customer } = await counter();
  const free = await makeCustomer(db, house);
  const other = createDb(process.env.DATABASE_URL ?? "", 1);
  await other.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT id FROM customers WHERE id = ${customer.id}::uuid FOR UPDATE`;
    // Two fill the batches in flight; the others share the next one.
    const rows = [row(), row(), row(), row({ customer: free.id }), row({ customer: free.id })];
    const settled = await Promise.allSettled(rows.map((one) => post(db, one)));
    expect(settled.map((one) => one.status)).toEqual([
      "rejected",
      "rejected",
      "rejected",
      "fulfilled",
      "fulfilled",
    ]);
    expect(settled[2]).toMatchObject({ reason: { code: "unavailable" } });
  });
  await other.$disconnect();
  expect(await post(db, row())).toMatchObject({ outcome: "posted", movement: { balanceAfter: 5 } });
});

test("a row that the database cannot read fails alone", async () => {
  const { row } = await counter();
  const rows = [row(), row(), row({ reason: "\0" }), row(), row({ customer: "no id" })];
  const settled = await Promise.allSettled(rows.map((one) => post(db, one)));
  expect(settled.map((one) => one.status)).toEqual([
    "fulfilled",
    "fulfilled",
    "rejected",
    "fulfilled",
    "rejected",
  ]);
});
