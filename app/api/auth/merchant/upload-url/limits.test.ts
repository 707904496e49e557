import { expect, test } from "vitest";
import { POST as exists } from "@/app/api/customer-exist/route";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { makeMerchant, uniqueEmail } from "@/lib/testing/factories";
import { POST as uploadUrl } from "./route";

const db = await testDb();

test.each([
  ["upload URLs", uploadUrl, { fileName: "a.png", contentType: "image/png", fileCategory: "image" }, 20],
  ["questions for e-mails", exists, { sEmail: uniqueEmail() }, 30],
])("%s are counted by person: signing in again gives no new ones", async (_what, handler, body, most) => {
  // Whoever signs up as a merchant has a session before anybody has looked at them.
  const { owner } = await makeMerchant(db, { status: "pending" });
  const ask = async (token: string) => (await call(handler, { method: "POST", token, body })).status;
  const first = await tokenOf(db, owner);
  for (let n = 0; n < most; n++) expect(await ask(first)).toBe(200);
  expect(await ask(first)).toBe(429);
  expect(await ask(await tokenOf(db, owner))).toBe(429);
  const { owner: other } = await makeMerchant(db);
  expect(await ask(await tokenOf(db, other))).toBe(200);
});
