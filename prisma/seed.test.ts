import { expect, test } from "vitest";
import { testDb } from "@/lib/testing/database";
import { seedDemo } from "./seed";

const db = await testDb();

const everything = async () => ({
  users: await db.user.findMany({ orderBy: { email: "asc" } }),
  merchants: await db.merchant.findMany({ orderBy: { email: "asc" } }),
  branches: await db.branch.findMany({ orderBy: { id: "asc" } }),
  customers: await db.customer.findMany({ orderBy: { id: "asc" } }),
  movements: await db.movement.findMany({ orderBy: { id: "asc" } }),
});

test("the demo seed refuses production", async () => {
  await expect(seedDemo(db, "production")).rejects.toThrow("production");
  expect(await db.user.count()).toBe(0);
});

test("the demo is there, and a second run changes nothing", async () => {
  await seedDemo(db);
  const first = await everything();
  const emails = first.users.map((user) => user.email);
  for (const email of [
    "super@wallet.test",
    "admin@wallet.test",
    "owner@karak.test",
    "worker@karak.test",
    "owner@oryx.test",
    "worker@oryx.test",
    "owner@pending.test",
  ]) {
    expect(emails).toContain(email);
  }
  for (const merchant of first.merchants.filter(({ status }) => status === "approved")) {
    const own = first.customers.filter(({ merchantId }) => merchantId === merchant.id);
    expect(own.length).toBeGreaterThanOrEqual(25);
  }
  await seedDemo(db);
  expect(await everything()).toEqual(first);
});
