import * as argon2 from "@node-rs/argon2";
import pg from "pg";
import { expect, test, vi } from "vitest";
import { mailCardLinks, mailCards } from "@/lib/cards/mail-cards";
import { sendCode } from "@/lib/cards/sign-up";
import { testDb } from "@/lib/testing/database";
import {
  makeCustomer,
  makeMerchant,
  makeWorker,
  PASSWORD,
  publicContext,
  uniqueEmail,
} from "@/lib/testing/factories";
import { runJobs } from "@/lib/testing/jobs";
import { forgotPassword, mailReset } from "./set-password";
import { signIn } from "./sign-in";

// Counted, not replaced: the real hash is made.
vi.mock("@node-rs/argon2", async (original) => {
  const real = await original<typeof argon2>();
  return { ...real, hash: vi.fn(real.hash), verify: vi.fn(real.verify) };
});

const db = await testDb();
const shop = await makeMerchant(db);
const ctx = () =>
  publicContext(db, { address: `10.8.${Math.trunc(Math.random() * 250)}.${address++ % 250}` });
let address = 1;

/** What `work` does before its answer: each statement that reaches the database, and the cost of each hash. */
async function workOf(work: () => Promise<unknown>): Promise<string[]> {
  const done: string[] = [];
  const send = pg.Client.prototype.query as (...given: unknown[]) => unknown;
  const statements = vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (
    this: pg.Client,
    ...given: unknown[]
  ) {
    const [first] = given;
    done.push(typeof first === "string" ? first : (first as { text: string }).text);
    return send.apply(this, given);
  } as never);
  vi.mocked(argon2.verify).mockClear();
  vi.mocked(argon2.hash).mockClear();
  await work().catch((error: unknown) => done.push(String(error)));
  statements.mockRestore();
  const verified = vi
    .mocked(argon2.verify)
    .mock.calls.map(([hash]) => String(hash).replace(/[^$]+\$[^$]+$/, ""));
  return [...done, ...verified, `${vi.mocked(argon2.hash).mock.calls.length} hashes`];
}

/** An address that holds a card here, one of staff, and one that nobody has. */
async function addresses(): Promise<string[]> {
  const { email } = await makeCustomer(db, shop, { email: uniqueEmail("holder") });
  return [email ?? "", (await makeWorker(db, shop)).email, uniqueEmail("nobody")];
}

const asked = {
  "a lost card": (email: string) => mailCards(ctx(), { email }),
  "a forgotten password": (email: string) => forgotPassword(ctx(), { email }),
  "a code to sign up": (email: string) => sendCode(ctx(), { email, merchantId: shop.merchant.id }),
  "a wrong password": (email: string) => signIn(ctx(), { email, password: "a wrong guess" }),
};

for (const [name, ask] of Object.entries(asked)) {
  test(`${name}: before the answer the same is done for an address that is somebody's and for any other`, async () => {
    // The first call of a process also makes the hash that nobody has.
    await ask(uniqueEmail("first")).catch(() => undefined);
    const [holder = "", staff = "", nobody = ""] = await addresses();
    const unknown = await workOf(() => ask(nobody));
    expect(unknown.length).toBeGreaterThan(3);
    expect(await workOf(() => ask(holder))).toEqual(unknown);
    expect(await workOf(() => ask(staff))).toEqual(unknown);
  });
}

test("a wrong password: the same for an account that has none yet, and one that was disabled", async () => {
  const [invited, disabled] = [await makeWorker(db, shop), await makeWorker(db, shop)];
  await db.user.update({ where: { id: invited.id }, data: { status: "invited", passwordHash: null } });
  await db.user.update({ where: { id: disabled.id }, data: { status: "disabled" } });
  const unknown = await workOf(() => asked["a wrong password"](uniqueEmail("nobody")));
  expect(unknown).toContain("$argon2id$v=19$m=19456,t=2,p=1$");
  for (const { email } of [invited, disabled]) {
    expect(await workOf(() => asked["a wrong password"](email))).toEqual(unknown);
    expect(await workOf(() => signIn(ctx(), { email, password: PASSWORD }))).toEqual(unknown);
  }
});

test("the last wrong password of a budget: the same for an address that has an account and for any other", async () => {
  const [, staff = "", nobody = ""] = await addresses();
  const lastOf = async (email: string) => {
    const at = ctx();
    const guess = () => signIn(at, { email, password: "a wrong guess" });
    for (let n = 0; n < 4; n += 1) await guess().catch(() => undefined);
    return workOf(guess);
  };
  const unknown = await lastOf(nobody);
  expect(unknown.some((statement) => statement.includes("add_job"))).toBe(true);
  expect(await lastOf(staff)).toEqual(unknown);
});

test("a job that runs twice mails one link, and one that comes too late mails none", async () => {
  const tasks = { mail_cards: mailCardLinks, mail_reset: mailReset };
  const [holder = "", staff = ""] = await addresses();
  const mails = (recipient: string) => db.email.count({ where: { recipient } });
  for (const [email, task, name] of [
    [holder, mailCardLinks, "mail_cards"],
    [staff, mailReset, "mail_reset"],
  ] as const) {
    await (name === "mail_cards" ? mailCards : forgotPassword)(ctx(), { email });
    const [job] = await db.$queryRaw<{ payload: Record<string, unknown> }[]>`
      select payload from graphile_worker._private_jobs where payload->>'email' = ${email}`;
    await runJobs(db, tasks);
    expect(await mails(email)).toBe(1);
    const again = (payload: object) => task({ db, transport: undefined as never }, payload);
    await again(job?.payload ?? {});
    await again({
      ...job?.payload,
      mailId: crypto.randomUUID(),
      askedAt: new Date(Date.now() - 31 * 60_000),
    });
    expect(await mails(email)).toBe(1);
  }
  const customer = await db.customer.findFirstOrThrow({ where: { email: holder } });
  expect(await db.cardLink.count({ where: { customerId: customer.id } })).toBe(1);
});
