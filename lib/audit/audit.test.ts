import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { Actor } from "@/lib/domain/actor";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeCustomer, makeMerchant } from "@/lib/testing/factories";
import { type AuditEntry, audit, redactAudits } from "./audit";

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
      { type: "apiKey", keyId, name: "Till", ...approved },
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
    await db.$transaction((tx) => audit(tx, { actor }, { ...entry, entityId }));
    const rows = await db.audit.findMany({ where: { entityId } });
    expect(rows).toMatchObject([{ ...none, ...columns, after: { fullName: "Leila", phone: null } }]);
  }
});

test("the schema rejects invalid entries, and the database rejects inconsistent actor columns", async () => {
  const { shop, customer, entry } = await setUp();
  const { actor } = contextOf(db, shop.owner);
  const write = (more: object) =>
    db.$transaction((tx) => audit(tx, { actor }, { ...entry, ...more } as AuditEntry));
  for (const wrong of [{ action: "customer.hugged" }, { entity: "cat" }, { entityId: "x" }, { extra: 1 }]) {
    await expect(write(wrong)).rejects.toThrow();
  }
  const { before: _before, after: _after, ...plain } = entry;
  const odd = { ...plain, actorType: "user" as const, customerId: customer.id };
  await expect(db.audit.create({ data: odd })).rejects.toThrow(/audits_actor/);
  await expect(db.audit.create({ data: { ...plain, job: "sweep" } })).rejects.toThrow(/audits_actor/);
  expect(await db.audit.count({ where: { merchantId: shop.merchant.id } })).toBe(0);
});

test("an erased customer's entries stay without their values", async () => {
  const { shop, customer, entry } = await setUp();
  const ctx = contextOf(db, shop.owner);
  await db.$transaction(async (tx) => {
    await audit(tx, ctx, entry);
    await redactAudits(tx, customer.id);
  });
  const rows = await db.audit.findMany({ where: { entityId: customer.id } });
  expect(rows).toMatchObject([
    { action: "customer.edit", actorId: shop.owner.id, before: null, after: null },
  ]);
});
