import { expect, test } from "vitest";
import { POST as exists } from "@/app/api/customer-exist/route";
import { PEER_HEADER } from "@/lib/http/address";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { makeMerchant, uniqueEmail } from "@/lib/testing/factories";
import { POST as uploadUrl } from "./route";

const db = await testDb();
const UPLOAD = { fileName: "a.png", contentType: "image/png", fileCategory: "image" };

const post = async (handler: typeof uploadUrl, address: string, token: string, body: object) =>
  (await call(handler, { method: "POST", token, body: { ...body }, headers: { [PEER_HEADER]: address } }))
    .status;

test("an unapproved merchant has the upload limit of a stranger; an approved one has the general limit", async () => {
  const ask = (token: string) => post(uploadUrl, "203.0.113.20", token, UPLOAD);
  const { owner } = await makeMerchant(db, { status: "pending" });
  const first = await tokenOf(db, owner);
  for (let n = 0; n < 20; n++) expect(await ask(first)).toBe(200);
  expect(await ask(first)).toBe(429);
  expect(await ask(await tokenOf(db, owner))).toBe(429);
  const { owner: approved } = await makeMerchant(db);
  const token = await tokenOf(db, approved);
  for (let n = 0; n < 21; n++) expect(await ask(token)).toBe(200);
});

test("email-exist is limited by address, so signing in again does not reset the limit", async () => {
  const { owner } = await makeMerchant(db);
  const ask = async (address: string) =>
    post(exists, address, await tokenOf(db, owner), { sEmail: uniqueEmail() });
  for (let n = 0; n < 30; n++) expect(await ask("203.0.113.21")).toBe(200);
  expect(await ask("203.0.113.21")).toBe(429);
  expect(await ask("203.0.113.22")).toBe(200);
});
