import { expect, test } from "vitest";
import { queueEmail } from "@/lib/email/queue";
import { testDb } from "@/lib/testing/database";
import { uniqueEmail } from "@/lib/testing/factories";
import { GET } from "./route";

const SECRET = "cron secret for tests";
process.env.CRON_SECRET = SECRET;
const db = await testDb();

const call = (authorization?: string) =>
  GET(new Request("http://localhost/api/cron", { headers: authorization ? { authorization } : {} }), {
    params: Promise.resolve({}),
  });

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
