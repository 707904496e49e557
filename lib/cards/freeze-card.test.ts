import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testDb } from "@/lib/testing/database";
import { makeCustomer, makeMerchant, publicContext } from "@/lib/testing/factories";
import { withSecrets } from "@/lib/testing/with-secrets";
import { freezableCard, freezeCard, freezeToken } from "./freeze-card";

const db = await testDb();
const call = withSecrets(publicContext(db));

async function card() {
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop);
  const status = async () => (await db.customer.findUniqueOrThrow({ where: { id: customer.id } })).status;
  const unfreeze = () => db.customer.update({ where: { id: customer.id }, data: { status: "active" } });
  return { ...shop, customer, status, unfreeze };
}

test("a link freezes once: after unfreezing it says that it was used, and a later link works", async () => {
  const { customer, status, unfreeze, owner } = await card();
  const token = freezeToken(customer.id, new Date(Date.now() - 60_000));
  expect(await call(freezableCard, { token })).toMatchObject({ status: "active", used: false });
  expect(await call(freezeCard, { token })).toEqual({ frozen: true, already: false });
  // Pressed again it says so, and does not notify the owner again.
  expect(await call(freezeCard, { token })).toEqual({ frozen: true, already: true });
  expect(await call(freezableCard, { token })).toMatchObject({ status: "frozen", used: true });
  await unfreeze();
  expect(await call(freezableCard, { token })).toMatchObject({ status: "active", used: true });
  await expect(call(freezeCard, { token })).rejects.toMatchObject({ code: "link_used" });
  // Another way of writing the same link is no other link.
  for (const edited of [`${token}.`, `${token}.x`, token.toUpperCase()]) {
    await expect(call(freezeCard, { token: edited })).rejects.toMatchObject({ code: "link_invalid" });
  }
  expect(await status()).toBe("active");
  expect(await call(freezeCard, { token: freezeToken(customer.id, new Date()) })).toMatchObject({
    already: false,
  });
  expect(await status()).toBe("frozen");
  expect(await db.email.count({ where: { recipient: owner.email } })).toBe(2);
});

test("a link that found the card frozen already is not used up", async () => {
  const { customer, unfreeze, status } = await card();
  const [first, second] = [0, 60_000].map((age) => freezeToken(customer.id, new Date(Date.now() - age)));
  await call(freezeCard, { token: first ?? "" });
  expect(await call(freezeCard, { token: second ?? "" })).toEqual({ frozen: true, already: true });
  await unfreeze();
  expect(await call(freezeCard, { token: second ?? "" })).toEqual({ frozen: true, already: false });
  expect(await status()).toBe("frozen");
});

test("of many who press one link at once, one freezes the card", async () => {
  const { customer, owner } = await card();
  const token = freezeToken(customer.id, new Date());
  const answers = await Promise.all(Array.from({ length: 8 }, () => call(freezeCard, { token })));
  expect(answers.filter(({ already }) => !already)).toHaveLength(1);
  expect(await db.email.count({ where: { recipient: owner.email } })).toBe(1);
});

test("a freeze link that is forged, expired or of an unknown card freezes nothing", async () => {
  const { customer } = await card();
  const { customer: victim } = await card();
  const token = freezeToken(customer.id, new Date());
  const old = freezeToken(customer.id, new Date(Date.now() - 61 * 24 * 60 * 60 * 1000));
  const unknown = freezeToken(randomUUID(), new Date());
  for (const wrong of [token.replace(customer.id, victim.id), `${token}x`, old, unknown, "x"]) {
    await expect(call(freezeCard, { token: wrong })).rejects.toMatchObject({ code: "link_invalid" });
  }
});
