import { expect, test } from "vitest";
import { sendCode, verifyCode } from "@/lib/cards/sign-up";
import type { PublicContext } from "@/lib/db/context";
import { testDb } from "@/lib/testing/database";
import { publicContext, uniqueEmail } from "@/lib/testing/factories";

const db = await testDb();
const at = (minutes: number): Partial<PublicContext> => ({
  clock: () => new Date(Date.now() + minutes * 60_000),
});

async function requestCode(email: string, ctx = publicContext(db)): Promise<string> {
  await sendCode(ctx, { email });
  const row = await db.email.findFirstOrThrow({
    where: { recipient: email },
    orderBy: { createdAt: "desc" },
  });
  return /\b\d{6}\b/.exec(row.text)?.[0] ?? "";
}

const wrongOf = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");

test("a code verifies its e-mail once, and is stored as a hash", async () => {
  const email = uniqueEmail();
  const code = await requestCode(email);
  expect(JSON.stringify(await db.code.findMany({ where: { email } }))).not.toContain(code);
  const ctx = publicContext(db);
  await expect(verifyCode(ctx, { email: uniqueEmail(), code })).rejects.toMatchObject({
    code: "code_invalid",
  });
  expect((await verifyCode(ctx, { email, code })).verification).toHaveLength(43);
  await expect(verifyCode(ctx, { email, code })).rejects.toMatchObject({ code: "code_invalid" });
});

test("one of 20 parallel correct guesses succeeds", async () => {
  const email = uniqueEmail();
  const code = await requestCode(email);
  const tries = Array.from({ length: 20 }, () => verifyCode(publicContext(db), { email, code }));
  const good = (await Promise.allSettled(tries)).filter((result) => result.status === "fulfilled");
  expect(good).toHaveLength(1);
});

test("five wrong guesses invalidate the code, even in parallel", async () => {
  const email = uniqueEmail();
  const code = await requestCode(email);
  const wrong = { email, code: wrongOf(code) };
  await Promise.allSettled(Array.from({ length: 30 }, () => verifyCode(publicContext(db), wrong)));
  const row = await db.code.findFirstOrThrow({ where: { email } });
  expect(row.wrong).toBe(5);
  await expect(verifyCode(publicContext(db), { email, code })).rejects.toMatchObject({
    code: "code_invalid",
  });
});

test("four wrong guesses leave the code valid", async () => {
  const email = uniqueEmail();
  const code = await requestCode(email);
  const wrong = { email, code: wrongOf(code) };
  for (let guess = 0; guess < 4; guess++)
    await expect(verifyCode(publicContext(db), wrong)).rejects.toThrow();
  await expect(verifyCode(publicContext(db), { email, code })).resolves.toBeDefined();
});

test("a code expires after 300 seconds", async () => {
  const email = uniqueEmail();
  const code = await requestCode(email);
  const late = publicContext(db, at(5.1));
  await expect(verifyCode(late, { email, code })).rejects.toMatchObject({ code: "code_expired" });
});

test("a new code replaces the old one", async () => {
  const email = uniqueEmail();
  const old = await requestCode(email);
  const fresh = await requestCode(email, publicContext(db, at(0.1)));
  const ctx = publicContext(db, at(0.2));
  if (old !== fresh)
    await expect(verifyCode(ctx, { email, code: old })).rejects.toMatchObject({ code: "code_invalid" });
  await expect(verifyCode(ctx, { email, code: fresh })).resolves.toBeDefined();
});

test("the sixth send to an e-mail within an hour is refused, even in parallel", async () => {
  const email = uniqueEmail();
  const sends = Array.from({ length: 8 }, (_, n) =>
    sendCode(publicContext(db, { address: `10.1.0.${n}` }), { email }),
  );
  const results = await Promise.allSettled(sends);
  expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(5);
  expect(await db.email.count({ where: { recipient: email } })).toBe(5);
  await expect(sendCode(publicContext(db), { email })).rejects.toMatchObject({ code: "rate_limited" });
});

test("an address can send at most 200 codes an hour", async () => {
  const ctx = publicContext(db, { address: "10.2.0.1" });
  const results: PromiseSettledResult<unknown>[] = [];
  // As many at once as there are connections: on a slow machine more would wait too long for one.
  for (let group = 0; group < 41; group++) {
    const sends = Array.from({ length: 5 }, () => sendCode(ctx, { email: uniqueEmail() }));
    results.push(...(await Promise.allSettled(sends)));
  }
  expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(200);
});
