import { expect, test } from "vitest";
import { PEER_HEADER } from "@/lib/api/address";
import { addCardDevice } from "@/lib/cards/card-holder";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { makeCustomer, makeMerchant, makeWorker, uniqueEmail } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { MERCHANT_QUOTA_BYTES } from "./model/uploads";

const uploadUrl = handlerOf("POST", "auth/merchant/upload-url");

const exists = handlerOf("POST", "customer-exist");

const db = await testDb();
const MB = 1024 * 1024;
const UPLOAD = { fileName: "a.png", contentType: "image/png", fileCategory: "image", fileSize: 1000 };

const send = (handler: typeof uploadUrl, address: string, token: string, body: object) =>
  call(handler, { method: "POST", token, body: { ...body }, headers: { [PEER_HEADER]: address } });
const post = async (...args: Parameters<typeof send>) => (await send(...args)).status;

test("a person may upload 20 files an hour, from any session and also in parallel", async () => {
  const { owner } = await makeMerchant(db);
  const tokens = await Promise.all([1, 2, 3, 4, 5].map(() => tokenOf(db, owner)));
  const asked = Array.from({ length: 25 }, (_, n) =>
    post(uploadUrl, `203.0.113.${n}`, tokens[n % 5] ?? "", UPLOAD),
  );
  const statuses = await Promise.all(asked);
  expect([statuses.filter((s) => s === 200).length, statuses.filter((s) => s === 429).length]).toEqual([
    20, 5,
  ]);
});

test("an unapproved merchant counts by its address, so signing up again gives no new budget", async () => {
  const ask = (token: string) => post(uploadUrl, "203.0.113.20", token, UPLOAD);
  const { owner } = await makeMerchant(db, { status: "pending" });
  const first = await tokenOf(db, owner);
  for (let n = 0; n < 20; n++) expect(await ask(first)).toBe(200);
  expect(await ask(first)).toBe(429);
  expect(await ask(await tokenOf(db, owner))).toBe(429);
  const other = await makeMerchant(db, { status: "pending" });
  expect(await ask(await tokenOf(db, other.owner))).toBe(429);
  const { owner: approved } = await makeMerchant(db);
  expect(await ask(await tokenOf(db, approved))).toBe(200);
});

test("a merchant's files take 100 MB at most, also when its staff upload at the same time", async () => {
  const shop = await makeMerchant(db);
  const staff = [shop.owner, await makeWorker(db, shop), await makeWorker(db, shop)];
  const size = 5 * MB;
  // 90 MB are taken: by files that are attached, and by one whose size was not named.
  await db.upload.createMany({
    data: Array.from({ length: 18 }, (_, n) => ({
      key: `images/${crypto.randomUUID()}.webp`,
      fileName: "a",
      contentType: "image/webp",
      category: "image" as const,
      size: n === 0 ? null : size,
      ...(n % 2 ? { merchantId: shop.merchant.id, attachedAt: new Date() } : { uploaderId: shop.owner.id }),
    })),
  });
  const tokens = await Promise.all(staff.map((user) => tokenOf(db, user)));
  const body = { ...UPLOAD, fileSize: size };
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) => send(uploadUrl, "203.0.113.30", tokens[n % 3] ?? "", body)),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
  for (const refused of answers.filter(({ status }) => status !== 200))
    expect(refused).toMatchObject({ status: 422, code: "upload_quota" });
  const mine = { OR: [{ merchantId: shop.merchant.id }, { uploader: { merchantId: shop.merchant.id } }] };
  const rows = await db.upload.findMany({ where: mine, select: { size: true } });
  expect(rows.reduce((sum, row) => sum + (row.size ?? size), 0)).toBe(MERCHANT_QUOTA_BYTES);
  const neighbour = await makeMerchant(db);
  expect(await post(uploadUrl, "203.0.113.30", await tokenOf(db, neighbour.owner), body)).toBe(200);
});

test("customer-exist needs the merchant, and is limited by address, so signing in again does not reset the limit", async () => {
  const { owner, merchant } = await makeMerchant(db);
  const ask = async (address: string, body = {}) =>
    post(exists, address, await tokenOf(db, owner), {
      sEmail: uniqueEmail(),
      iMerchantId: merchant.id,
      ...body,
    });
  expect(await ask("203.0.113.23", { iMerchantId: undefined })).toBe(400);
  for (let n = 0; n < 30; n++) expect(await ask("203.0.113.21")).toBe(200);
  expect(await ask("203.0.113.21")).toBe(429);
  // A card's cookie makes no new caller.
  const card = await makeCustomer(db, { merchant });
  const cookie = `wallet_card_${card.id}=${await addCardDevice(db, card.id, new Date())}`;
  const holder = await call(exists, {
    method: "POST",
    headers: { [PEER_HEADER]: "203.0.113.21", cookie },
    body: { sEmail: uniqueEmail(), iMerchantId: merchant.id },
  });
  expect(holder.status).toBe(429);
  expect(await ask("203.0.113.22")).toBe(200);
});
