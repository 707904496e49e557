import { generateKeyPairSync } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { route } from "@/lib/api/route";
import { bind } from "@/lib/calls/bind";
import type { OutgoingEmail, Transport } from "@/lib/email/message";
import { mailTransport } from "@/lib/email/transports";
import { env } from "@/lib/env";
import { runDue } from "@/lib/jobs/run-due";
import { captureConsole } from "@/lib/observe/log";
import { operation } from "@/lib/operations/operation";
import { TASKS } from "@/lib/tasks";
import { call } from "@/lib/testing/calls";
import { exchange, OPERATIONS } from "@/lib/testing/contract/exchange";
import { CRON_SECRET, PUBLIC_EXAMPLES } from "@/lib/testing/contract/public-examples";
import { STAFF_EXAMPLES } from "@/lib/testing/contract/staff-examples";
import { makeWorld } from "@/lib/testing/contract/world";
import { testDb } from "@/lib/testing/database";
import { PASSWORD } from "@/lib/testing/factories";

/** Tables that hold a secret in plain text. `passes`: Apple's authentication token, which each pass contains. */
const TABLES_WITH_PLAIN_SECRETS = ["passes"];

vi.stubEnv("CRON_SECRET", CRON_SECRET);
vi.stubEnv("LOG_LEVEL", "debug");
vi.stubEnv("GOOGLE_WALLET_ISSUER_ID", "3388000000000000001");
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = privateKey.export({ type: "pkcs8", format: "pem" });
vi.stubEnv(
  "GOOGLE_WALLET_KEY",
  JSON.stringify({ client_email: "wallet@project.iam.test", private_key: pem }),
);

const db = await testDb();
const world = await makeWorld(db);
const secrets = { codes: new Set<string>(), tokens: new Set<string>(Object.values(world.tokens)) };
const people = new Set<string>();
const mails: OutgoingEmail[] = [];
let logged = "";

/** Delivers to the mailbox; every third attempt fails with the recipient in the error. */
const transport: Transport = {
  ...mailTransport(),
  async send(mail) {
    mails.push(mail);
    if (mails.length % 3 === 0) throw new Error(`451 <${mail.recipient}> of +97455001234: ${mail.text}`);
    await mailTransport().send(mail);
  },
};

const fail = operation({
  permission: "public",
  input: z.object({}),
  readOnly: true,
  run: async () => {
    const [customer] = await db.customer.findMany({ take: 1 });
    const cause = new Error(`Key (email)=(${customer?.email}) already exists, ${customer?.phone}`);
    throw new Error(`no customer ${customer?.email}, token ${world.tokens.owner}`, { cause });
  },
});
const failing = await route(bind({ method: "GET", path: "test" }, fail, { summary: "fails", tag: "test" }));

const original = { ...console };

/** Every call of the API as documented, most again without its session, all jobs and e-mails, and unexpected errors. */
async function dayOfTraffic(): Promise<void> {
  const examples = { ...PUBLIC_EXAMPLES, ...STAFF_EXAMPLES };
  for (const operation of OPERATIONS) {
    const example = await examples[operation.name]?.(world);
    if (!example) throw new Error(operation.name);
    const { as, status: _status, data: _data, ...sent } = example;
    const answers = [
      await exchange(operation, { ...sent, token: "no such token" }),
      await exchange(operation, as ? { ...sent, token: world.tokens[as] } : sent),
    ];
    for (const { headers, body } of answers) {
      collectTokens(`${JSON.stringify(body)} ${headers.get("set-cookie") ?? ""}`);
    }
    // A public key is no secret, and its private part stays with the till.
    collectTokens(
      JSON.stringify({ ...sent, till: undefined }, (name, value) => (name === "jPublicKey" ? "" : value)),
    );
  }
  const failed = await call(failing);
  expect(failed.status).toBe(500);
  console.error("⨯ Error:", new Error(`page of ${world.users.owner.email} ${world.users.owner.phone}`));
  // A third of the e-mails is tried again, and a third of those once more: until none has its text any more.
  do {
    await db.$executeRaw`update emails set next_try_at = now() - interval '1 minute' where status = 'queued'`;
    await runDue({ db, transport }, TASKS);
  } while ((await db.email.count({ where: { status: "queued" } })) > 0);
}

function collectTokens(text: string): void {
  for (const [run] of text.matchAll(/(?<![\w-])[\w-]{43}(?![\w-])/g)) {
    if (/\d/.test(run) && /[a-z]/.test(run) && /[A-Z]/.test(run)) secrets.tokens.add(run);
  }
}

async function collectPeople(): Promise<void> {
  const rows = await db.$queryRaw<{ value: string | null }[]>`
    select email as value from users union select phone from users union select email from customers
    union select phone from customers union select email from merchants union select phone from merchants
    union select recipient from emails`;
  for (const { value } of rows) if (value) people.add(value.replace(/^\+974/, "").toLowerCase());
}

beforeAll(async () => {
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, "write").mockImplementation((chunk) => {
      logged += String(chunk);
      return true;
    });
  }
  captureConsole();
  await dayOfTraffic();
  Object.assign(console, original);
  vi.restoreAllMocks();
  for (const { text } of mails) {
    for (const [code] of text.matchAll(/(?<![\w.-])\d{6}(?![\w.-])/g)) secrets.codes.add(code);
    collectTokens(text);
  }
  await collectPeople();
}, 240_000);

afterAll(() => {
  Object.assign(console, original);
});

/** What of these stands in the text as a word of its own. */
const found = (text: string, wanted: Iterable<string>) =>
  [...wanted].filter((one) => {
    const at = text.indexOf(one);
    return at >= 0 && new RegExp(`(?<![\\w.-])${one.replaceAll(/[.+]/g, "\\$&")}(?![\\w-])`).test(text);
  });
const anySecret = () => [...secrets.codes, ...secrets.tokens, PASSWORD];

test("the traffic had secrets and people, and was logged", () => {
  expect(secrets.codes.size).toBeGreaterThan(2);
  expect(secrets.tokens.size).toBeGreaterThan(8);
  expect(people.size).toBeGreaterThan(50);
  expect(logged).toContain("request failed");
  expect(logged).toContain("not delivered");
  expect(logged).toContain("(address)");
  expect(logged).toContain("page of (address) (phone)");
});

test("no log line contains a code, a token, a password, an e-mail address or a phone number", () => {
  expect(found(logged, anySecret())).toEqual([]);
  expect(found(logged.toLowerCase(), people)).toEqual([]);
});

test("no table holds a code or a token, but for those that are named", async () => {
  const tables = await db.$queryRaw<{ schema: string; name: string }[]>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`;
  expect(tables.length).toBeGreaterThan(20);
  const holding: string[] = [];
  for (const { schema, name } of tables) {
    const rows = await db.$queryRawUnsafe<{ row: string }[]>(
      `select t::text as row from "${schema}"."${name}" t`,
    );
    if (found(rows.map(({ row }) => row).join("\n"), anySecret()).length > 0) holding.push(name);
  }
  expect(holding.filter((name) => !TABLES_WITH_PLAIN_SECRETS.includes(name))).toEqual([]);
});

test("no file outside the mailbox contains a secret or a person", async () => {
  const names = await readdir(env().DATA_DIR, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  expect(files.some((file) => file.includes("mailbox"))).toBe(true);
  for (const file of files.filter((one) => !one.includes("/mailbox/"))) {
    const text = `${file}\n${await readFile(file, "latin1")}`;
    expect(found(text, [...anySecret(), ...people]), file).toEqual([]);
  }
});
