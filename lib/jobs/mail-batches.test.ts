import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterEach, expect, test } from "vitest";
import type { Transport } from "@/lib/email/message";
import { claimEmails } from "@/lib/email/outbox";
import { queueEmail, queueEmails } from "@/lib/email/queue";
import { resendTransport, smtpTransport } from "@/lib/email/transports";
import { testDb } from "@/lib/testing/database";
import { type ResendOptions, resendServer } from "@/lib/testing/resend-server";
import { runDue } from "./run-due";
import { sweep } from "./task-registry";

const db = await testDb();
const FROM = "Loyalty Wallet <no-reply@wallet.test>";
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await db.email.deleteMany();
});

const params = {
  merchant: "Karak",
  name: "Layla",
  kind: "TOP_UP",
  points: 10,
  balance: 10,
  rate: 100,
  balanceRate: 100,
  paid: 10,
  bonus: 0,
  tender: null,
  saleRef: null,
  branch: "The Pearl",
  at: new Date(),
  reference: "1",
  notMeUrl: "https://wallet.example/x",
} as const;

const BAD = "bad@customer.test";
/** Addresses of a batch of fifty whose thirtieth is bad. */
const FIFTY = Array.from({ length: 50 }, (_, n) => (n === 29 ? BAD : `c${n}@customer.test`));
const GOOD = FIFTY.filter((address) => address !== BAD);

async function queueReceipts(addresses: string[]): Promise<void> {
  const mails = addresses.map((to) => ({ to, template: "receipt", params, locale: "en" }) as const);
  await queueEmails(db, mails);
}
const deliver = (transport: Transport) => runDue({ db, transport });
const makeDue = () =>
  db.$executeRaw`update emails set next_try_at = now() - interval '1 minute' where status = 'queued'`;
const queued = () => db.email.findMany({ where: { status: "queued" }, orderBy: { recipient: "asc" } });

async function resend(options: ResendOptions = {}) {
  const api = await resendServer(options);
  closers.push(api.close);
  return { api, transport: resendTransport("re_key", FROM, api.url) };
}

test("receipts go in one call of Resend, a code in a call of its own", async () => {
  const { api, transport } = await resend();
  await queueReceipts(GOOD);
  const code = { merchant: "Karak", code: "048213", minutes: 5 };
  const to = "code@customer.test";
  await queueEmail(db, { to, template: "code_card_holder", params: code, locale: "en" });
  await deliver(transport);
  expect(api.calls.map(({ path }) => path).sort()).toEqual(["/emails", "/emails/batch"]);
  expect(api.accepted.toSorted()).toEqual([...GOOD, to].sort());
  expect(await db.email.count({ where: { status: "sent", text: "", html: "" } })).toBe(50);
});

test("a bad address in a batch fails alone", async () => {
  const { api, transport } = await resend({ refuses: (address) => address === BAD });
  await queueReceipts(FIFTY);
  await deliver(transport);
  expect(api.calls).toHaveLength(1);
  expect(api.accepted.toSorted()).toEqual(GOOD.toSorted());
  expect(await queued()).toMatchObject([{ recipient: BAD, attempts: 1, batch: null }]);

  // It is tried again without its neighbours, and with those that are new.
  await queueReceipts(["new@customer.test"]);
  await makeDue();
  await deliver(transport);
  expect(JSON.parse(api.calls[1]?.body ?? "")).toHaveLength(2);
  expect(api.accepted).toHaveLength(50);
  expect(await queued()).toMatchObject([{ recipient: BAD, attempts: 2 }]);
});

test("when Resend refuses a batch for what is in it, its e-mails go one by one", async () => {
  const body = { name: "validation_error", message: "Invalid `to` field.", statusCode: 422 };
  const { api, transport } = await resend({
    refuses: (address) => address === BAD,
    failure: ({ path }) => (path === "/emails/batch" ? { status: 422, body } : undefined),
  });
  await queueReceipts(FIFTY);
  await deliver(transport);
  expect(api.calls.filter(({ path }) => path === "/emails").length).toBeGreaterThanOrEqual(50);
  expect(api.accepted.toSorted()).toEqual(GOOD.toSorted());
  expect(await queued()).toMatchObject([{ recipient: BAD }]);
});

test.each([
  [429, "rate_limit_exceeded"],
  [401, "invalid_api_key"],
  [500, "internal_server_error"],
])("when Resend answers %i for a batch, it is tried again later as a whole", async (status, name) => {
  let isUp = false;
  const body = { name, message: "no", statusCode: status };
  const { api, transport } = await resend({ failure: () => (isUp ? undefined : { status, body }) });
  await queueReceipts(GOOD);
  await deliver(transport);
  expect(api.calls).toHaveLength(1);
  expect(await db.email.count({ where: { status: "queued", attempts: 1 } })).toBe(49);
  isUp = true;
  await makeDue();
  await deliver(transport);
  expect(api.calls).toHaveLength(2);
  expect(api.accepted.toSorted()).toEqual(GOOD.toSorted());
  expect(await queued()).toEqual([]);
});

test("a batch whose answer was lost is sent again as the same batch, and delivered once", async () => {
  let calls = 0;
  const { api, transport } = await resend({ isLost: () => calls++ === 0 });
  await queueReceipts(GOOD);
  await deliver(transport);
  expect(api.accepted).toHaveLength(49);
  expect(await queued()).toHaveLength(49);

  const others = Array.from({ length: 80 }, (_, n) => `other${n}@customer.test`);
  await queueReceipts(others);
  await makeDue();
  await deliver(transport);
  expect(await queued()).toEqual([]);
  expect(api.accepted.toSorted()).toEqual([...GOOD, ...others].sort());
  const [first, ...rest] = api.calls;
  const again = rest.filter(({ body }) => body === first?.body);
  expect(again.map(({ headers }) => headers["idempotency-key"])).toEqual([first?.headers["idempotency-key"]]);
});

test("a batch whose answer was lost stays one batch, also with e-mails that were tried before", async () => {
  let calls = 0;
  const { api, transport } = await resend({ isLost: () => calls++ === 0 });
  await queueReceipts(GOOD);
  const tried = { where: { recipient: { in: GOOD.slice(0, 20) } } };
  await db.email.updateMany({ ...tried, data: { attempts: 5 } });
  await deliver(transport);
  // As long after it as the first of them waits.
  await db.$executeRaw`
    update emails set next_try_at = next_try_at - (select min(next_try_at) - now() + interval '1 second' from emails)`;
  await deliver(transport);
  expect(await db.email.count({ where: { status: "queued" } })).toBe(0);
  expect(api.accepted.toSorted()).toEqual(GOOD.toSorted());

  calls = 0;
  await queueReceipts(["old@customer.test", "new@customer.test"]);
  await db.email.updateMany({ where: { recipient: "old@customer.test" }, data: { attempts: 24 } });
  await deliver(transport);
  expect(await db.email.count({ where: { status: "queued" } })).toBe(0);
  expect(await db.email.count({ where: { status: "failed" } })).toBe(2);
});

test("the batch of a process that died before it recorded the answer is sent again as the same batch", async () => {
  const { api, transport } = await resend();
  await queueReceipts(GOOD);
  const key = randomUUID();
  const mails = await claimEmails(db, { lane: "receipt", owner: randomUUID(), limit: 100, batch: key });
  await transport.batches?.send(mails, key);
  await queueReceipts(["new@customer.test"]);
  // It releases what a process claimed that is not registered.
  await sweep({ db, transport }, {});
  await deliver(transport);
  expect(await queued()).toEqual([]);
  expect(api.accepted.toSorted()).toEqual([...GOOD, "new@customer.test"].sort());
});

test("a receipt that was deleted after its batch's answer was lost is not sent, and its neighbours are", async () => {
  let calls = 0;
  const { api, transport } = await resend({ isLost: () => calls++ === 0 });
  await queueReceipts(GOOD);
  await deliver(transport);
  await db.email.deleteMany({ where: { recipient: GOOD[0] ?? "" } });
  await makeDue();
  await deliver(transport);
  expect(await queued()).toEqual([]);
  // Resend knows the key with another payload: at least once, so each is sent again.
  expect(api.accepted.slice(49).toSorted()).toEqual(GOOD.slice(1).toSorted());
});

test("by SMTP a refused address and a connection that is lost in the middle concern one message each", async () => {
  const received: string[] = [];
  const cut = GOOD[7] ?? "";
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onRcptTo({ address }, _session, done) {
      const error = Object.assign(new Error("no such user"), { responseCode: 550 });
      done(address === BAD ? error : null);
    },
    onData(stream, session, done) {
      const to = session.envelope.rcptTo[0]?.address ?? "";
      stream.resume().on("end", () => {
        received.push(to);
        // Without an answer to the message.
        const isFirst = received.filter((address) => address === to).length === 1;
        if (to === cut && isFirst) for (const each of server.connections) each.close();
        else done();
      });
    },
  });
  server.on("error", () => undefined);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  closers.push(() => new Promise((closed) => server.close(() => closed())));
  const { port } = server.server.address() as AddressInfo;
  const transport: Transport = {
    ...smtpTransport(`smtp://127.0.0.1:${port}`, FROM, { greeting: 5_000, silence: 5_000 }),
    connections: { account: 1, receipt: 1 },
  };
  await queueReceipts(FIFTY);
  await deliver(transport);
  await makeDue();
  await deliver(transport);
  expect(await db.email.findMany({ where: { recipient: cut } })).toMatchObject([{ attempts: 2 }]);
  expect(received.toSorted()).toEqual([...GOOD, cut].sort());
  expect(await db.email.findMany({ where: { status: "failed" } })).toMatchObject([{ recipient: BAD }]);
  expect(await db.email.count({ where: { status: "sent" } })).toBe(49);
});
