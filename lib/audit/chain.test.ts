import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { getDb } from "@/lib/db/client";
import { sealAudits } from "@/lib/jobs/daily-sums";
import { ownerUrl, testDb } from "@/lib/testing/database";
import { contextOf, makeCustomer, makeMerchant } from "@/lib/testing/factories";
import { waitForOpenTransactions } from "@/lib/testing/horizon";
import { audit } from "./audit";
import { verifyAudits } from "./check-audits";

const db = await testDb();
const owner = new pg.Client({ connectionString: ownerUrl() });
const application = new pg.Client({ connectionString: process.env.DATABASE_URL });
beforeAll(() => Promise.all([owner.connect(), application.connect()]));
afterAll(() => Promise.all([owner.end(), application.end()]));

const seal = async () => {
  await waitForOpenTransactions(db);
  return sealAudits(getDb());
};

/** Some entries about a customer, written as the application. */
async function write(count: number) {
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop);
  const ctx = contextOf(getDb(), shop.owner);
  for (let n = 0; n < count; n++) {
    await audit(ctx.db, ctx, {
      merchantId: shop.merchant.id,
      action: "customer.edit",
      entity: "customer",
      entityId: customer.id,
      before: { fullName: `Layla ${n}` },
      after: { fullName: `Layla ${n + 1}` },
    });
  }
  const rows = await db.audit.findMany({ where: { entityId: customer.id }, orderBy: { id: "asc" } });
  return { shop, customer, ids: rows.map(({ id }) => id) };
}

/** What the owner could do with every trigger off, and what verifying says then; it is taken back afterwards. */
async function afterTampering(statement: string) {
  await owner.query("begin");
  await owner.query("set local session_replication_role = replica");
  const { rowCount } = await owner.query(statement);
  await owner.query("commit");
  expect(rowCount).toBe(1);
  return (await verifyAudits(db)).wrong;
}

test("sealed entries verify, and a changed, removed or added one is named", async () => {
  await write(3);
  expect(await seal()).toBeGreaterThanOrEqual(3);
  const { ids } = await write(3);
  expect(await seal()).toBe(3);
  expect(await seal()).toBe(0);
  expect(await verifyAudits(db)).toMatchObject({ wrong: null, entries: expect.any(Number) });
  const [first, middle] = ids;
  const change = (to: string) => `update audits set action = '${to}' where id = '${middle}'`;
  expect(await afterTampering(change("customer.email"))).toEqual({ what: "chain", auditId: middle });
  expect(await afterTampering(change("customer.edit"))).toBeNull();
  const text = (from: string, to: string) =>
    `update audit_texts set content = replace(content::text, '${from}', '${to}')::jsonb
     where audit_id = '${first}' and part = 'details'`;
  expect(await afterTampering(text("Layla 1", "Omar"))).toEqual({ what: "text", auditId: first });
  expect(await afterTampering(text("Omar", "Layla 1"))).toBeNull();
  const seals = "update audit_seals set total = total + 1 where n = 1";
  expect(await afterTampering(seals)).toEqual({ what: "chain" });
  expect(await afterTampering(seals.replace("+", "-"))).toBeNull();
  const late = `insert into audits (action, entity, tx) values ('admin.created', 'platform',
    (select to_tx from ledger_progress where what = 'audits') - 1)`;
  await afterTampering(late);
  expect(await verifyAudits(db)).toMatchObject({ wrong: { what: "unsealed", auditId: expect.any(String) } });
  await afterTampering("delete from audits where action = 'admin.created'");
  const kept = await db.auditText.findFirstOrThrow({ where: { auditId: first ?? "", part: "place" } });
  expect(
    await afterTampering(`delete from audit_texts where audit_id = '${first}' and part = 'place'`),
  ).toEqual({
    what: "text",
    auditId: first,
  });
  await db.auditText.create({ data: { ...kept, content: kept.content as object } });
  expect((await verifyAudits(db)).wrong).toBeNull();
});

test("an erased customer's values go, and the chain still verifies", async () => {
  const { customer, ids } = await write(2);
  await seal();
  // Of a customer who is not erased nothing goes.
  await application.query("select erase_audit_texts($1)", [customer.id]);
  expect(await db.auditText.count({ where: { auditId: { in: ids } } })).toBe(4);
  const gone = {
    status: "erased",
    email: null,
    phone: null,
    dateOfBirth: null,
    erasedAt: new Date(),
  } as const;
  await db.customer.update({ where: { id: customer.id }, data: gone });
  await application.query("select erase_audit_texts($1)", [customer.id]);
  const left = await db.auditText.findMany({ where: { auditId: { in: ids } } });
  expect(left.map(({ part }) => part)).toEqual(["place", "place"]);
  expect(await db.audit.count({ where: { id: { in: ids } } })).toBe(2);
  expect((await verifyAudits(db)).wrong).toBeNull();
});

const CLOSED = ["audit_texts", "audit_seals", "audit_cuts"];
const COLUMN: Record<string, string> = {
  audits: "job",
  audit_texts: "part",
  audit_seals: "n",
  audit_cuts: "n",
};
test.each([
  ...["audits", ...CLOSED].flatMap((table) => [
    `update ${table} set ${COLUMN[table]} = ${COLUMN[table]}`,
    `delete from ${table}`,
    `truncate ${table} cascade`,
  ]),
  ...CLOSED.map((table) => `insert into ${table} select * from ${table} limit 1`),
  "update audits set action = 'x'",
  "insert into audits (action, entity) values ('x', 'platform')",
  "insert into audits (action, entity, details_hash) values ('x', 'platform', '')",
  "insert into audits (action, entity, tx) values ('x', 'platform', 1)",
  "insert into audits (action, entity, once) values ('x', 'platform', gen_random_uuid())",
  "select cut_audits('0 seconds')",
  "update sessions set user_id = gen_random_uuid()",
  "update sessions set handle = gen_random_uuid()",
  "update sessions set created_at = now()",
  "update sessions set address = '10.0.0.1'",
])("as the application's role: %s", async (statement) => {
  for (const setting of ["wallet.cutting = 'on'", "wallet.posting = 'on'"]) {
    await application.query("begin");
    await application.query(`set local ${setting}`);
    const refused = await application.query(statement).then(
      () => "it was done",
      (error: pg.DatabaseError) => error.code,
    );
    await application.query("rollback");
    expect(refused).toBe("42501");
  }
});

test("a session keeps its user and token, does not come back, and is opened for active users only", async () => {
  const shop = await makeMerchant(db);
  const open = (userId: string) =>
    application.query(
      "insert into sessions (id, handle, user_id, token_hash, expires_at) values ($1, $2, $3, $4, now() + interval '1 hour')",
      [randomUUID(), randomUUID(), userId, randomUUID()],
    );
  await open(shop.owner.id);
  const change = (what: string) =>
    application.query(`update sessions set ${what} where user_id = $1`, [shop.owner.id]);
  await change("last_seen_at = now(), expires_at = now() + interval '2 hours'");
  await expect(change("token_hash = 'another'")).rejects.toMatchObject({ code: "42501" });
  await change("token_hash = null");
  await change("revoked_at = now()");
  await expect(change("revoked_at = null")).rejects.toMatchObject({ code: "42501" });
  await db.user.update({ where: { id: shop.owner.id }, data: { status: "disabled" } });
  await expect(open(shop.owner.id)).rejects.toMatchObject({ code: "42501" });
});

test("the owner cuts at a seal, and the chain goes on from there", async () => {
  await write(2);
  await seal();
  const before = await verifyAudits(db);
  const { ids } = await write(1);
  expect((await owner.query("select cut_audits() as taken")).rows).toEqual([{ taken: "0" }]);
  const { rows } = await owner.query("select cut_audits('0 seconds') as taken");
  expect(Number(rows[0].taken)).toBe(before.entries);
  // What was not sealed yet stays, with the entry about the cut.
  const left = await db.audit.findMany({ orderBy: [{ tx: "asc" }, { id: "asc" }] });
  expect(left.map(({ id }) => id).slice(0, 1)).toEqual(ids);
  expect(left).toMatchObject([{}, { action: "audit.cut", actorType: "system" }]);
  expect(await seal()).toBe(2);
  expect(await verifyAudits(db)).toMatchObject({ entries: 2, wrong: null });
  await write(1);
  await seal();
  expect(await verifyAudits(db)).toMatchObject({ entries: 3, wrong: null });
  expect(await afterTampering(`update audits set action = 'x' where id = '${ids[0]}'`)).toEqual({
    what: "chain",
    auditId: ids[0],
  });
});
