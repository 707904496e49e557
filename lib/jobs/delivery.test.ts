import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { listMailbox, readMailbox } from "@/lib/email/mailbox";
import type { Transport } from "@/lib/email/message";
import { MailLane } from "@/lib/email/outbox";
import { queueEmail } from "@/lib/email/queue";
import { type MailSettings, transportFor } from "@/lib/email/transports";
import { env } from "@/lib/env";
import { testDb } from "@/lib/testing/database";
import { uniqueEmail } from "@/lib/testing/factories";
import { testFolder } from "@/lib/testing/folder";
import { httpServer } from "@/lib/testing/http-server";
import { smtpServer } from "@/lib/testing/smtp-server";
import { Presence } from "./presence";
import { queuePool } from "./queue";
import { runDue } from "./run-due";
import { sweep } from "./task-registry";

const db = await testDb();
const closers: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closers) await close();
});

const settings: MailSettings = {
  APP_ENV: "test",
  DATA_DIR: testFolder("mail"),
  MAIL_FROM: "Loyalty Wallet <no-reply@wallet.test>",
  RESEND_API_KEY: undefined,
  RESEND_BASE_URL: undefined,
  SMTP_URL: undefined,
};

function queue(to = uniqueEmail(), locale: "en" | "ar" = "en"): Promise<string> {
  const params = { merchant: "بيت الكرك", code: "048213", minutes: 5 };
  return db.$transaction((tx) => queueEmail(tx, { to, template: "code_register", params, locale }));
}
const rowOf = (id: string) => db.email.findUniqueOrThrow({ where: { id } });
const deliver = (transport: Transport) => runDue({ db, transport });

/** Makes every queued e-mail due, as after the back-off. */
async function makeDue(): Promise<void> {
  await db.$executeRaw`update emails set next_try_at = now() - interval '1 minute' where status = 'queued'`;
}

test("a transaction that rolls back queues no e-mail", async () => {
  const to = uniqueEmail();
  const params = { merchant: "Karak", code: "111222", minutes: 5 };
  const failing = db.$transaction(async (tx) => {
    await queueEmail(tx, { to, template: "code_register", params, locale: "en" });
    throw new Error("changed my mind");
  });
  await expect(failing).rejects.toThrow("changed my mind");
  expect(await db.email.count({ where: { recipient: to } })).toBe(0);
});

test("when Resend fails, the e-mail is retried and delivered once with its idempotency key", async () => {
  let up = false;
  const api = await httpServer(() =>
    up
      ? { status: 200, body: { id: "re_1" } }
      : { status: 500, body: { name: "application_error", message: "down", statusCode: 500 } },
  );
  closers.push(api.close);
  const transport = transportFor({ ...settings, RESEND_API_KEY: "re_key", RESEND_BASE_URL: api.url });
  const id = await queue("layla@customer.test");

  await deliver(transport);
  const waiting = await rowOf(id);
  expect(waiting).toMatchObject({ status: "queued", attempts: 1 });
  expect(waiting.lastError).toContain("down");
  expect(waiting.nextTryAt.getTime()).toBeGreaterThan(Date.now());

  await deliver(transport);
  expect(api.calls).toHaveLength(1);

  up = true;
  await makeDue();
  await deliver(transport);
  await makeDue();
  await deliver(transport);
  expect(await rowOf(id)).toMatchObject({ status: "sent", attempts: 2, lastError: null, text: "", html: "" });
  expect(api.calls).toHaveLength(2);
  const call = api.calls[1];
  expect(call).toMatchObject({ method: "POST", path: "/emails" });
  expect(call?.headers).toMatchObject({ authorization: "Bearer re_key", "idempotency-key": id });
  expect(JSON.parse(call?.body ?? "")).toMatchObject({
    from: settings.MAIL_FROM,
    to: ["layla@customer.test"],
    subject: "Your بيت الكرك verification code",
    text: expect.stringContaining("048213"),
    html: expect.stringContaining("048213"),
  });
});

test("when the SMTP server is down, the e-mail is retried and delivered once", async () => {
  const first = await smtpServer();
  await first.close();
  const transport = transportFor({ ...settings, SMTP_URL: first.url });
  const id = await queue("layla@customer.test");
  await deliver(transport);
  expect((await rowOf(id)).lastError).toContain("ECONNREFUSED");

  const server = await smtpServer({ port: first.port });
  closers.push(server.close);
  await makeDue();
  await deliver(transport);
  await deliver(transport);
  expect((await rowOf(id)).status).toBe("sent");
  expect(server.messages).toHaveLength(1);
  expect(server.messages[0]).toMatchObject({ to: "layla@customer.test" });
  expect(server.messages[0]?.data).toContain(`Message-ID: <${id}@wallet.test>`);
});

test("a permanently refused recipient is not retried", async () => {
  const server = await smtpServer({ refuse: "550 no such user" });
  closers.push(server.close);
  const id = await queue();
  await deliver(transportFor({ ...settings, SMTP_URL: server.url }));
  const failed = await rowOf(id);
  expect(failed).toMatchObject({ status: "failed", attempts: 1, text: "", html: "" });
  expect(JSON.stringify(failed)).not.toContain("048213");
  await makeDue();
  await deliver(transportFor({ ...settings, SMTP_URL: server.url }));
  expect(await rowOf(id)).toMatchObject({ status: "failed", attempts: 1 });
});

test("a code that expired before its e-mail left is not sent, and stays in no column", async () => {
  const server = await smtpServer();
  closers.push(server.close);
  const context = { db, transport: transportFor({ ...settings, SMTP_URL: server.url }) };
  const params = { merchant: "Karak", code: "048213", minutes: 5 };
  const mail = { to: uniqueEmail(), template: "code_erase", params, locale: "en", expiresIn: 300 } as const;
  const id = await db.$transaction((tx) => queueEmail(tx, mail));
  const left = (await rowOf(id)).expiresAt?.getTime() ?? 0;
  expect(left - Date.now()).toBeGreaterThan(290_000);
  await db.$executeRaw`update emails set expires_at = now() - interval '1 second' where id = ${id}::uuid`;
  await deliver(context.transport);
  expect(server.messages).toHaveLength(0);
  await sweep(context, {});
  const expired = await rowOf(id);
  expect(expired).toMatchObject({ status: "failed", lastError: "expired", text: "", html: "" });
  expect(JSON.stringify(expired)).not.toContain("048213");
});

test("four concurrent deliverers send each message once", async () => {
  const server = await smtpServer();
  closers.push(server.close);
  const transport = transportFor({ ...settings, SMTP_URL: server.url });
  await Promise.all(Array.from({ length: 40 }, () => queue()));
  const pool = queuePool(env().DATABASE_URL);
  closers.push(() => pool.end());
  const deliverer = () =>
    Presence.during(pool, async ({ id: owner }) => {
      const stop = new AbortController().signal;
      await new MailLane({ db, transport, lane: "account", owner, stop, once: true }).run();
    });
  await Promise.all([1, 2, 3, 4].map(deliverer));
  expect(server.messages).toHaveLength(40);
  await deliver(transport);
  expect(server.messages).toHaveLength(40);
});

test("the sweep releases an e-mail whose claimant does not exist", async () => {
  const server = await smtpServer();
  closers.push(server.close);
  const context = { db, transport: transportFor({ ...settings, SMTP_URL: server.url }) };
  const id = await queue();
  await db.$executeRaw`update emails set claimed_by = gen_random_uuid() where id = ${id}::uuid`;
  await deliver(context.transport);
  expect(server.messages).toHaveLength(0);
  await sweep(context, {});
  await deliver(context.transport);
  expect((await rowOf(id)).status).toBe("sent");
  expect(server.messages).toHaveLength(1);
});

test("the local mailbox stores a valid message with its Arabic subject", async () => {
  const folder = join(settings.DATA_DIR, "mailbox");
  const transport = transportFor(settings);
  const id = await queue("layla@customer.test", "ar");
  const row = await rowOf(id);
  await deliver(transport);
  await transport.send(row);
  const names = await readdir(folder);
  expect(names).toEqual([expect.stringMatching(new RegExp(`^\\d{8}T\\d{9}Z-${id}\\.eml$`))]);
  const message = await readMailbox(names[0] ?? "", folder);
  expect(message).toMatchObject({ to: "layla@customer.test", from: "no-reply@wallet.test" });
  expect(message?.subject).toBe("رمز التحقق لبطاقة بيت الكرك");
  expect(message?.text.replaceAll("\r\n", "\n").trim()).toBe(row.text.trim());
  expect(message?.html).toContain('dir="rtl"');
  expect(message?.html).toContain("048213");

  await transport.send({ ...row, id: crypto.randomUUID(), createdAt: new Date(row.createdAt.getTime() + 5) });
  const page = await listMailbox(undefined, 1, folder);
  expect(page.entries).toHaveLength(1);
  expect(page.next).toBe(page.entries[0]?.file);
  const rest = await listMailbox(page.next ?? undefined, 1, folder);
  expect(rest.entries.map((entry) => entry.file)).toEqual(names);
  expect(rest.next).toBeNull();
});

test.each(["../secret.eml", "..%2fx.eml", "/etc/passwd", "x.eml", ""])(
  "no file outside the mailbox is read: %s",
  async (name) => {
    expect(await readMailbox(name, settings.DATA_DIR)).toBeNull();
  },
);
