import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { getDb } from "@/lib/db/client";
import type { Actor } from "@/lib/domain/actor";
import { auditsOf } from "@/lib/testing/audits";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeCustomer, makeMerchant } from "@/lib/testing/factories";
import { type AuditEntry, audit, difference } from "./audit";

const db = await testDb();

async function setUp() {
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop);
  const entry: AuditEntry = {
    merchantId: shop.merchant.id,
    action: "customer.edit",
    entity: "customer",
    entityId: customer.id,
    before: { fullName: "Layla" },
    after: { fullName: "Leila", phone: null },
  };
  return { shop, customer, entry };
}

test("an entry has the columns of its actor, for every kind of actor", async () => {
  const { shop, customer, entry } = await setUp();
  const merchantId = shop.merchant.id;
  const keyId = randomUUID();
  const standing = {
    merchantStatus: "approved",
    merchantStatusReason: null,
    merchantSuspension: null,
  } as const;
  const approved = { merchantId, ...standing };
  const none = { actorType: null, actorId: null, apiKeyId: null, customerId: null, job: null };
  const cases: [Actor | null, object][] = [
    [contextOf(db, shop.owner).actor, { actorType: "user", actorId: shop.owner.id }],
    [
      { type: "apiKey", keyId, name: "Till", scopes: [], branchId: null, ...approved },
      { actorType: "api_key", apiKeyId: keyId },
    ],
    [
      { type: "cardHolder", customerId: customer.id, merchantId, deviceId: null },
      { actorType: "card_holder", customerId: customer.id },
    ],
    [
      { type: "system", job: "sweep" },
      { actorType: "system", job: "sweep" },
    ],
    [null, {}],
  ];
  for (const [actor, columns] of cases) {
    const entityId = randomUUID();
    await getDb().$transaction((tx) => audit(tx, { actor }, { ...entry, entityId }));
    expect(await auditsOf(db, entityId)).toMatchObject([
      { ...none, ...columns, kind: "customer", after: { fullName: "Leila", phone: null } },
    ]);
  }
});

test("an entry says from where: the caller's address and the family of the device", async () => {
  const { shop, entry } = await setUp();
  const userAgent = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/150.0 Safari/537.36";
  const ctx = contextOf(getDb(), shop.owner, { address: "203.0.113.7", userAgent });
  await audit(ctx.db, ctx, entry);
  expect(await auditsOf(db, entry.entityId ?? "")).toMatchObject([
    { address: "203.0.113.7", device: "Chrome on Windows" },
  ]);
});

test("the schema rejects invalid entries and secrets, and the database inconsistent actor columns", async () => {
  const { shop, customer, entry } = await setUp();
  const { actor } = contextOf(db, shop.owner);
  const write = (more: object) =>
    db.$transaction((tx) => audit(tx, { actor }, { ...entry, ...more } as AuditEntry));
  const secrets = ["passwordHash", "token", "tokenHash", "code", "pin", "holderSecret", "sPassword"];
  for (const wrong of [
    { action: "customer.hugged" },
    { entity: "cat" },
    { entityId: "x" },
    { extra: 1 },
    ...secrets.map((name) => ({ after: { [name]: "x" } })),
    { after: { inside: { secret: "x" } } },
  ]) {
    await expect(write(wrong)).rejects.toThrow();
  }
  const plain = { action: entry.action, entity: entry.entity, merchantId: entry.merchantId };
  const odd = { ...plain, actorType: "user" as const, customerId: customer.id };
  await expect(db.audit.create({ data: odd })).rejects.toThrow(/audits_actor/);
  await expect(db.audit.create({ data: { ...plain, job: "sweep" } })).rejects.toThrow(/audits_actor/);
  expect(await db.audit.count({ where: { merchantId: shop.merchant.id } })).toBe(0);
});

test("an entry with a known key is written once, however many write it at the same time", async () => {
  const { shop, entry } = await setUp();
  const ctx = contextOf(getDb(), shop.owner);
  const once = randomUUID();
  const written = await Promise.all(Array.from({ length: 8 }, () => audit(ctx.db, ctx, { ...entry, once })));
  expect(written.filter(Boolean)).toHaveLength(1);
  expect(await auditsOf(db, entry.entityId ?? "")).toHaveLength(1);
  expect(await audit(ctx.db, ctx, { ...entry, once: randomUUID() })).toBe(true);
});

test("a difference has only the fields that differ", () => {
  const before = { name: "A", city: "Doha", phone: null };
  expect(difference(before, { name: "A" })).toBeNull();
  expect(difference<Record<string, unknown>>(before, { name: "B", city: "Doha", phone: undefined })).toEqual({
    before: { name: "A" },
    after: { name: "B" },
  });
});
