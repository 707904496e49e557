import { expect, test } from "vitest";
import { queueEmail } from "@/lib/email/queue";
import { testDb } from "@/lib/testing/database";
import { makeCustomer, makeMerchant, uniqueEmail } from "@/lib/testing/factories";
import { GET } from "./route";

const SECRET = "cron secret for tests";
// Set before the settings are read for the first time. Nothing listens at the storage's address.
Object.assign(process.env, {
  CRON_SECRET: SECRET,
  S3_BUCKET: "wallet",
  S3_ENDPOINT: "http://127.0.0.1:9",
  S3_ACCESS_KEY_ID: "test",
  S3_SECRET_ACCESS_KEY: "test",
});
const db = await testDb();

const call = (authorization?: string) =>
  GET(new Request("http://localhost/api/cron", { headers: authorization ? { authorization } : {} }));

test.each([undefined, "", "Bearer wrong", SECRET, `bearer ${SECRET}`, "Bearer "])(
  "answers 401 without the secret: %s",
  async (authorization) => {
    const response = await call(authorization);
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ status: 401, code: "unauthenticated" });
  },
);

test("delivers queued e-mails with the secret", async () => {
  const to = uniqueEmail();
  const params = { merchant: "Karak", code: "123456", minutes: 5 };
  const id = await db.$transaction((tx) =>
    queueEmail(tx, { to, template: "code_register", params, locale: "en" }),
  );
  const response = await call(`Bearer ${SECRET}`);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ status: 200, data: { done: true } });
  expect(await db.email.findUniqueOrThrow({ where: { id } })).toMatchObject({ status: "sent" });
});

test("a storage that is down stops no other task, and the scheduler is told", async () => {
  const past = new Date(Date.now() - 3 * 24 * 60 * 60 * 1000);
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop);
  const upload = { key: "images/stale.webp", fileName: "stale", contentType: "image/webp", createdAt: past };
  await db.upload.create({ data: { ...upload, category: "image" } });
  await db.code.create({ data: { purpose: "register", email: "a@b.test", codeHash: "x", expiresAt: past } });
  const [oldEmail, newEmail] = [customer.email ?? "", uniqueEmail("new")];
  const change = { customerId: customer.id, oldEmail, newEmail, kind: "holder", dueAt: past };
  await db.emailChange.create({ data: change });

  expect((await call(`Bearer ${SECRET}`)).status).toBe(503);

  expect(await db.code.count()).toBe(0);
  expect(await db.customer.findUnique({ where: { id: customer.id } })).toMatchObject({ email: newEmail });
  const warning = await db.email.findFirstOrThrow({ where: { recipient: oldEmail } });
  expect(warning).toMatchObject({ status: "sent" });
  expect(await db.upload.count()).toBe(1);
});
