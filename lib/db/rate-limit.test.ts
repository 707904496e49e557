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

const alternate = (count: number): Db[] => Array.from({ length: count }, (_, n) => (n % 2 ? two : one));

/** The number of attempts per outcome: "ok" or an error code. */
async function outcomes(attempts: Promise<unknown>[]): Promise<Record<string, number>> {
  const settled = await Promise.allSettled(attempts);
  const codes = settled.map((found) => (found.status === "fulfilled" ? "ok" : String(found.reason.code)));
  return Object.fromEntries(
    [...new Set(codes)].map((code) => [code, codes.filter((c) => c === code).length]),
  );
}

test("parallel attempts at two instances count together, and the error has the seconds to wait", async () => {
  const limit = { name: "test", points: 10, seconds: 60 };
  const key = randomUUID();
  expect(await outcomes(alternate(40).map((db) => consume(db, limit, key)))).toEqual({
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

test("five wrong passwords from one address block it at both instances, and another address can still sign in", async () => {
  const { owner } = await makeMerchant(one);
  const guess = (db: Db) =>
    signIn(publicContext(db, { address: "198.51.100.1" }), { email: owner.email, password: "a wrong guess" });
  expect(await outcomes(alternate(12).map(guess))).toEqual({ invalid_credentials: 5, rate_limited: 7 });
  const elsewhere = publicContext(two, { address: "198.51.100.2" });
  expect((await signIn(elsewhere, { email: owner.email, password: "demo-wallet-2026" })).token).toHaveLength(
    43,
  );
});

test("an e-mail gets five codes an hour from both instances together", async () => {
  const email = uniqueEmail();
  expect(await outcomes(alternate(8).map((db) => sendCode(publicContext(db), { email })))).toEqual({
    ok: 5,
    rate_limited: 3,
  });
});

test("an e-mail gets five reset links an hour, whether or not it has an account", async () => {
  const { owner } = await makeMerchant(one);
  for (const email of [owner.email, uniqueEmail()]) {
    const asked = await outcomes(alternate(8).map((db) => forgotPassword(publicContext(db), { email })));
    expect(asked).toEqual({ ok: 5, rate_limited: 3 });
  }
});
