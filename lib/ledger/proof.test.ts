import { expect, test } from "vitest";
import { freezeToken } from "@/lib/cards/freeze-card";
import { issueCode } from "@/lib/codes/codes";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeCustomer, makeMerchant, makeWorker } from "@/lib/testing/factories";
import { tampered } from "@/lib/testing/with-secrets";
import { redeem, reverse, topUp } from "./move-points";
import { liveCode, liveCodeStep } from "./proof";

const db = await testDb();
// Noon in Doha: the day's allowance does not begin anew while this runs.
const NOON = new Date("2026-07-15T09:00:00Z");
const refused = (code: string, params?: object) =>
  expect.objectContaining({ name: "DomainError", code, ...(params ? { params } : {}) });

async function counter(allowance = 50) {
  const shop = await makeMerchant(db, { redeemAllowance: allowance });
  const worker = await makeWorker(db, shop);
  const customer = await makeCustomer(db, shop);
  const ctx = contextOf(db, worker, { clock: () => NOON });
  const at = { customerId: customer.publicId, branchId: shop.branch.id };
  await topUp(ctx, { ...at, points: 1000 });
  const take = (points: number, proof?: string, more = {}) => redeem(ctx, { ...at, points, proof, ...more });
  const target = { purpose: "redeem" as const, email: customer.email ?? "", customerId: customer.id };
  const mail = (points?: number) => db.$transaction((tx) => issueCode(tx, target, "127.0.0.1", NOON, points));
  return { shop, customer, ctx, take, mail };
}

test("a live code holds for 60 seconds, for its card only", () => {
  const start = new Date("2026-11-21T09:00:00Z");
  const after = (seconds: number) => new Date(start.getTime() + seconds * 1000);
  const code = liveCode("card", start);
  expect(liveCode("card", after(29))).toBe(code);
  expect(liveCode("card", after(30))).not.toBe(code);
  for (const age of [0, 30, 60]) expect(liveCodeStep("card", code, after(age))).not.toBeNull();
  for (const age of [-1, 60.5, 3600]) expect(liveCodeStep("card", code, after(age))).toBeNull();
  expect(liveCodeStep("another", code, start)).toBeNull();
  const [step, mac] = code.split(".");
  for (const edited of [`${Number(step) + 1}.${mac}`, `${code}A`, code.slice(0, -1), "", "1.2", `.${mac}`]) {
    expect(liveCodeStep("card", edited, after(30))).toBeNull();
  }
});

test("past the day's allowance a proof is needed", async () => {
  const { take, ctx } = await counter();
  await take(30);
  const second = await take(20);
  await expect(take(1)).rejects.toEqual(refused("proof_required", { limit: 50, balance: 950 }));
  await reverse(ctx, { movementId: second.movement.id });
  expect((await take(20)).movement.balanceAfter).toBe(950);
});

test("with an allowance of 0 nothing is redeemed without proof", async () => {
  const { take, customer } = await counter(0);
  await expect(take(1)).rejects.toEqual(refused("proof_required"));
  expect((await take(900, liveCode(customer.id, NOON))).movement.balanceAfter).toBe(100);
});

test("parallel redeems without proof stay within the allowance", async () => {
  const { take } = await counter();
  const settled = await Promise.allSettled(Array.from({ length: 30 }, () => take(10)));
  expect(settled.filter((one) => one.status === "fulfilled")).toHaveLength(5);
});

test("a live code pays once, however often it is shown", async () => {
  const { take, customer } = await counter();
  const code = liveCode(customer.id, NOON);
  const settled = await Promise.allSettled(Array.from({ length: 10 }, () => take(100, code)));
  expect(settled.filter((one) => one.status === "fulfilled")).toHaveLength(1);
  await expect(take(5, code)).rejects.toEqual(refused("proof_invalid"));
  await expect(take(5, liveCode(customer.id, new Date(NOON.getTime() - 91_000)))).rejects.toEqual(
    refused("proof_invalid"),
  );
});

test("no changed live code pays, nor one of another card, of the public id or of another hour, nor a freeze link", async () => {
  const { take, customer, shop } = await counter(0);
  const other = await makeCustomer(db, shop);
  const code = liveCode(customer.id, NOON);
  const forged = [
    ...tampered(code),
    liveCode(other.id, NOON),
    liveCode(customer.publicId, NOON),
    ...[-1, 1].map((hours) => liveCode(customer.id, new Date(NOON.getTime() + hours * 3_600_000))),
    freezeToken(customer.id, NOON),
  ];
  for (const proof of forged) await expect(take(1, proof), proof).rejects.toThrow();
  expect((await take(1, code)).movement.balanceAfter).toBe(999);
});

test("a refused redeem costs no proof; a repeated one needs none", async () => {
  const { take, customer } = await counter();
  const code = liveCode(customer.id, NOON);
  await expect(take(2000, code)).rejects.toEqual(refused("insufficient_balance"));
  const first = await take(500, code, { idempotencyKey: "k" });
  expect(await take(500, "stale", { idempotencyKey: "k" })).toEqual({ ...first, replayed: true });
  expect(await take(500, undefined, { idempotencyKey: "k" })).toEqual({ ...first, replayed: true });
});

test("a mailed code pays once, and five wrong guesses burn it", async () => {
  const { take, mail } = await counter();
  const code = await mail();
  expect((await take(500, code)).movement.balanceAfter).toBe(500);
  await expect(take(100, code)).rejects.toEqual(refused("proof_invalid"));
  const next = await mail();
  const wrong = next === "000000" ? "111111" : "000000";
  await expect(take(100, wrong)).rejects.toEqual(refused("proof_invalid", { balance: 500, triesLeft: 4 }));
  const guesses = await Promise.allSettled(Array.from({ length: 8 }, () => take(100, wrong)));
  expect(guesses.every((one) => one.status === "rejected")).toBe(true);
  await expect(take(100, next)).rejects.toEqual(refused("proof_invalid"));
});

test("a code mailed to one customer proves nothing for another", async () => {
  const here = await counter();
  const there = await counter();
  await expect(there.take(100, await here.mail())).rejects.toEqual(refused("proof_invalid"));
});

test("a mailed code is good for its amount or less, once, also when many ask at the same moment", async () => {
  const { take, mail } = await counter();
  const code = await mail(80);
  await expect(take(81, code)).rejects.toEqual(refused("proof_amount", { limit: 80 }));
  const settled = await Promise.allSettled(Array.from({ length: 8 }, () => take(75, code)));
  expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await expect(take(1, code)).rejects.toEqual(refused("proof_invalid"));
  // What was refused for its amount is refused with the first answer's key too, and a repeat needs no code.
  const next = await mail(80);
  const first = await take(80, next, { idempotencyKey: "k" });
  expect(await take(80, next, { idempotencyKey: "k" })).toEqual({ ...first, replayed: true });
});

test("a used key with another body is refused as such, before its code is judged and without a guess", async () => {
  const { take, mail } = await counter();
  const code = await mail(80);
  await take(80, code, { idempotencyKey: "k" });
  const reused = refused("key_reused");
  await expect(take(81, code, { idempotencyKey: "k" })).rejects.toEqual(reused);
  const next = await mail(70);
  const wrong = next === "000000" ? "111111" : "000000";
  for (let guess = 0; guess < 6; guess++) {
    await expect(take(5, wrong, { idempotencyKey: "k" })).rejects.toEqual(reused);
    expect(await take(80, wrong, { idempotencyKey: "k" })).toMatchObject({ replayed: true });
  }
  // The code of today has all its guesses left.
  expect((await take(70, next)).movement.points).toBe(-70);
});
