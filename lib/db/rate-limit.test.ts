import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { forgotPassword } from "@/lib/accounts/set-password";
import { signIn } from "@/lib/accounts/sign-in";
import { sendCode } from "@/lib/cards/sign-up";
import { testDb } from "@/lib/testing/database";
import { makeMerchant, publicContext, uniqueEmail } from "@/lib/testing/factories";
import { createDb, type Db } from "./client";
import { consume, resetAttempts } from "./rate-limit";

// Two instances of the program on one database.
const one = await testDb();
const two = createDb(process.env.DATABASE_URL ?? "", 5);
afterAll(() => two.$disconnect());

const turns = (times: number): Db[] => Array.from({ length: times }, (_, n) => (n % 2 ? two : one));

/** What each try ended with: "ok", or the code of the refusal. */
async function outcomes(tries: Promise<unknown>[]): Promise<Record<string, number>> {
  const settled = await Promise.allSettled(tries);
  const codes = settled.map((found) => (found.status === "fulfilled" ? "ok" : String(found.reason.code)));
  return Object.fromEntries(
    [...new Set(codes)].map((code) => [code, codes.filter((c) => c === code).length]),
  );
}

test("tries from two instances at once count together, and say how long to wait", async () => {
  const limit = { name: "test", points: 10, seconds: 60 };
  const key = randomUUID();
  expect(await outcomes(turns(40).map((db) => consume(db, limit, key)))).toEqual({
    ok: 10,
    rate_limited: 30,
  });
  const refused = await consume(two, limit, key).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "rate_limited", params: { seconds: expect.any(Number), limit: 10 } });
  const { seconds } = (refused as { params: { seconds: number } }).params;
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(60);
  await resetAttempts(one, limit, key);
  await consume(two, limit, key);
});

test("five wrong passwords from one address, over both instances; the owner's own phone still gets in", async () => {
  const { owner } = await makeMerchant(one);
  const guess = (db: Db) =>
    signIn(publicContext(db, { address: "198.51.100.1" }), { email: owner.email, password: "a wrong guess" });
  expect(await outcomes(turns(12).map(guess))).toEqual({ invalid_credentials: 5, rate_limited: 7 });
  const elsewhere = publicContext(two, { address: "198.51.100.2" });
  expect((await signIn(elsewhere, { email: owner.email, password: "demo-wallet-2026" })).token).toHaveLength(
    43,
  );
});

test("five codes an hour for one e-mail, over both instances", async () => {
  const email = uniqueEmail();
  expect(await outcomes(turns(8).map((db) => sendCode(publicContext(db), { email })))).toEqual({
    ok: 5,
    rate_limited: 3,
  });
});

test("five reset links an hour for one e-mail, whether or not it has an account", async () => {
  const { owner } = await makeMerchant(one);
  for (const email of [owner.email, uniqueEmail()]) {
    const asked = await outcomes(turns(8).map((db) => forgotPassword(publicContext(db), { email })));
    expect(asked).toEqual({ ok: 5, rate_limited: 3 });
  }
});
