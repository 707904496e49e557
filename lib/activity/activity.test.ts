import { expect, test } from "vitest";
import { updateProfile } from "@/lib/accounts/profile";
import { openSession } from "@/lib/accounts/session";
import { changePassword } from "@/lib/accounts/set-password";
import { logIn } from "@/lib/accounts/sign-in";
import { createBranch, updateBranch } from "@/lib/branches/branches";
import { editCustomer } from "@/lib/customers/edit-customer";
import { getDb } from "@/lib/db/client";
import { activityText } from "@/lib/i18n/activity";
import { decideMerchant } from "@/lib/merchants/decide-merchant";
import { editConfig } from "@/lib/points-config/edit-config";
import { viewConfig } from "@/lib/points-config/read-config";
import { call, tokenOf } from "@/lib/testing/calls";
import { explainStatements, testDb } from "@/lib/testing/database";
import {
  contextOf,
  makeAdmin,
  makeCustomer,
  makeMerchant,
  makeWorker,
  PASSWORD,
  publicContext,
  uniqueEmail,
} from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import type { Activity } from "./model";
import { listActivity } from "./read-activity";

const activity = handlerOf("GET", "activity");
const exportRoute = handlerOf("GET", "transactions/export");

const db = await testDb();

type Entry = {
  _id: string;
  sAction: string;
  actor: { eType: string; sName: string | null };
  sAddress: string | null;
};
type Answer = { data: { results: Entry[]; nextCursor: string | null } };

const read = async (token: string, query = "") =>
  (await call(activity, { token, query })) as unknown as Answer;
const actions = ({ data }: Answer) => data.results.map(({ sAction }) => sAction);
const plain = (text: string) => text.replace(/[\u2068\u2069]/g, "");

/** The newest entry within the owner's reach, as a sentence. */
async function said(ctx: Parameters<typeof listActivity>[0], locale: "en" | "ar" = "en") {
  const { results } = await listActivity(ctx, { limit: 1 });
  return plain(activityText(locale, results[0] as Activity));
}

test("sign-ins and failures are written down, and an unknown e-mail only masked and beside the chain", async () => {
  const shop = await makeMerchant(db);
  const admin = await tokenOf(db, await makeAdmin(db));
  const ctx = publicContext(getDb(), { address: "203.0.113.9" });
  const userAgent = "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0) Version/19.0 Safari/604.1";
  await logIn({ ...ctx, userAgent }, { email: shop.owner.email, password: PASSWORD });
  await expect(logIn(ctx, { email: shop.owner.email, password: "wrong wrong" })).rejects.toThrow("invalid");
  const unknown = uniqueEmail("nobody");
  await expect(logIn(ctx, { email: unknown, password: PASSWORD })).rejects.toThrow("invalid_credentials");
  const owner = contextOf(getDb(), shop.owner);
  const { results } = await listActivity(owner, { limit: 10 });
  expect(results).toMatchObject([
    {
      action: "session.refused",
      actor: { type: "stranger" },
      after: { reason: "password" },
      address: "203.0.113.9",
    },
    { action: "session.opened", actor: { type: "user", id: shop.owner.id }, device: "Safari on iPhone" },
  ]);
  expect(plain(activityText("en", results[0] as Activity))).toBe(
    "Someone who isn't signed in entered a wrong password for Noor Haddad's account.",
  );
  const all = await read(admin, "?kind=session&limit=1");
  expect(all.data.results).toMatchObject([
    {
      sAction: "session.refused",
      record: { _id: null },
      oAfter: { reason: "unknown", email: "n•••@example.test" },
    },
  ]);
  const chained = await db.$queryRaw<{ text: string }[]>`select a::text as text from audits a`;
  expect(chained.filter(({ text }) => text.includes("nobody") || text.includes("example.test"))).toEqual([]);
  const beside = await db.$queryRaw<{ text: string }[]>`select content::text as text from audit_texts`;
  expect(beside.filter(({ text }) => text.includes(unknown) || text.includes("argon2"))).toEqual([]);
});

test("changes read as sentences with their values, in both languages", async () => {
  const shop = await makeMerchant(db);
  const ctx = contextOf(getDb(), shop.owner);
  const branch = await createBranch(ctx, { name: "Souq", city: "Doha" });
  expect(await said(ctx)).toBe("Noor Haddad added branch Souq.");
  await updateBranch(ctx, { id: branch.id, name: "Pearl" });
  expect(await said(ctx)).toBe("Noor Haddad changed the name for branch Souq from Souq to Pearl.");
  expect(await said(ctx, "ar")).toBe("Noor Haddad: تغيير الاسم (الفرع Souq) من Souq إلى Pearl.");
  await updateProfile(ctx, { firstName: "Nora", locale: "ar" });
  expect(await said(ctx)).toBe(
    "Nora Haddad changed the language for their own account from nothing to العربية. Also the first name, from Noor to Nora.",
  );
  const customer = await makeCustomer(db, shop);
  await editCustomer(ctx, { customerId: customer.id, fullName: "Leila", phone: "+97455129999" });
  const { results } = await listActivity(ctx, { limit: 10, kind: "customer" });
  expect(plain(activityText("en", results[0] as Activity))).toContain(
    "Also the name, from Layla Haddad to Leila.",
  );
  const { id: sessionId } = await openSession(db, {
    userId: shop.owner.id,
    userAgent: null,
    address: "127.0.0.1",
    now: new Date(),
  });
  await changePassword(
    { ...ctx, actor: { ...ctx.actor, sessionId } },
    { oldPassword: PASSWORD, newPassword: "another long password" },
  );
  expect(await said(ctx)).toBe("Nora Haddad changed the password of their own account.");
});

test("each sees what is theirs: a worker nothing, an owner the own merchant, and of administrators only that they acted", async () => {
  const [shop, other] = [await makeMerchant(db), await makeMerchant(db)];
  const admin = await makeAdmin(db, { role: "admin" });
  const byAdmin = contextOf(getDb(), admin, { address: "198.51.100.4" });
  const rules = await viewConfig(byAdmin, {});
  for (const { merchant } of [shop, other]) {
    await editConfig(byAdmin, { ...rules, merchantId: merchant.id, maxTopUp: rules.maxTopUp + 1 });
  }
  await expect(decideMerchant(byAdmin, { id: shop.merchant.id, status: "approved" })).rejects.toThrow(
    "no_change",
  );
  const owner = await tokenOf(db, shop.owner);
  const own = await read(owner);
  expect(own.data.results).toMatchObject([
    {
      sAction: "config.changed",
      actor: { eType: "administrator", _id: null, sName: null },
      sAddress: null,
      sDevice: null,
      oBefore: { maxTopUp: rules.maxTopUp },
      oAfter: { maxTopUp: rules.maxTopUp + 1 },
    },
  ]);
  expect(actions(await read(owner, `?actor=${admin.id}`))).toEqual([]);
  expect(actions(await read(owner, `?merchant=${other.merchant.id}`))).toEqual([]);
  const worker = await tokenOf(db, await makeWorker(db, shop));
  expect(await call(activity, { token: worker })).toMatchObject({ status: 403 });
  expect(await call(activity, {})).toMatchObject({ status: 401 });
  const token = await tokenOf(db, admin);
  const both = await read(token, `?actor=${admin.id}&kind=config`);
  expect(both.data.results).toMatchObject([
    {
      merchant: { _id: other.merchant.id },
      actor: { _id: admin.id, sName: "Sara Haddad" },
      sAddress: "198.51.100.4",
    },
    { merchant: { _id: shop.merchant.id } },
  ]);
});

test("the list is filtered, and paged without a gap", async () => {
  const shop = await makeMerchant(db);
  const worker = await makeWorker(db, shop);
  const customer = await makeCustomer(db, shop);
  const [byOwner, byWorker] = [contextOf(getDb(), shop.owner), contextOf(getDb(), worker)];
  for (const name of ["A", "B", "C", "D", "E"]) await createBranch(byOwner, { name, city: "Doha" });
  await updateProfile(byWorker, { firstName: "Rami" });
  await editCustomer(byOwner, { customerId: customer.id, status: "blocked" });
  const token = await tokenOf(db, shop.owner);
  const seen: string[] = [];
  for (let cursor = ""; ; ) {
    const page = await read(token, `?limit=3${cursor}`);
    seen.push(...page.data.results.map(({ _id }) => _id));
    if (!page.data.nextCursor) break;
    cursor = `&cursor=${page.data.nextCursor}`;
  }
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toHaveLength(8);
  expect(actions(await read(token, "?kind=branch"))).toEqual(Array(5).fill("branch.created"));
  expect(actions(await read(token, `?actor=${worker.id}`))).toEqual(["profile.changed"]);
  for (const id of [customer.id, customer.publicId]) {
    expect(actions(await read(token, `?customer=${id}`))).toEqual(["opening.customer", "customer.blocked"]);
  }
  expect(actions(await read(token, "?from=2099-01-01"))).toEqual([]);
  expect(actions(await read(token, "?to=2020-01-01"))).toEqual([]);
  expect(actions(await read(token, "?from=2020-01-01&to=2099-01-01"))).toHaveLength(8);
  expect(await call(activity, { token, query: "?kind=hugs" })).toMatchObject({ status: 400 });
});

test("the activity and the transactions are exported as CSV, formulas escaped, and each export is written down", async () => {
  const shop = await makeMerchant(db);
  await createBranch(contextOf(getDb(), shop.owner, { actor: { firstName: "x" } }), {
    name: "=1+1",
    city: "Doha",
  });
  await db.user.update({ where: { id: shop.owner.id }, data: { firstName: "=Noor" } });
  const token = await tokenOf(db, shop.owner);
  const csv = async (handler: typeof activity, query: string) => {
    const request = new Request(`http://localhost/api/x${query}`, { headers: { authorization: token } });
    const response = await handler(request, { params: {} } as never);
    expect(response.headers.get("content-type")).toContain("text/csv");
    return response.text();
  };
  const text = await csv(activity, "?format=csv");
  expect(text.split("\r\n")[0]).toBe(
    "\uFEFFTime (Qatar),Who,What,Merchant,Address,Device,Action,Before,After,Reference".slice(
      text.startsWith("\uFEFF") ? 0 : 1,
    ),
  );
  expect(text).toContain(",'=Noor Haddad,'=Noor Haddad added branch =1+1.,");
  expect(text).not.toMatch(/[\u2068\u2069]/);
  await csv(exportRoute, "");
  expect(actions(await read(token, "?kind=export"))).toEqual(["export.transactions", "export.activity"]);
});

test("every filter's plan reads its index and no more than its page", async () => {
  const shop = await makeMerchant(db);
  const quiet = await makeMerchant(db);
  const customer = await makeCustomer(db, shop);
  await db.$executeRaw`
    insert into audits (created_at, actor_type, actor_id, merchant_id, action, entity, entity_id)
    select now() - n * interval '1 minute', 'user', ${shop.owner.id}::uuid, ${shop.merchant.id}::uuid,
      (array['customer.edit', 'opening.customer', 'session.opened'])[1 + n % 3], 'customer', gen_random_uuid()::text
    from generate_series(1, 30000) n`;
  await db.$executeRaw`
    insert into audits (actor_type, actor_id, merchant_id, action, entity, entity_id)
    values ('user', ${quiet.owner.id}::uuid, ${quiet.merchant.id}::uuid, 'branch.created', 'customer', ${customer.id})`;
  await db.$executeRaw`vacuum analyze audits`;
  const watched = explainStatements(db);
  const admin = contextOf(watched.db, await makeAdmin(db));
  const owner = contextOf(watched.db, quiet.owner);
  const busy = contextOf(watched.db, shop.owner);
  const first = await listActivity(admin, { limit: 25 });
  const cursor = first.results.at(-1)?.id;
  await listActivity(admin, { limit: 25, cursor });
  await listActivity(admin, { limit: 25, kind: "branch" });
  await listActivity(admin, { limit: 25, kind: "opening", cursor });
  await listActivity(admin, { limit: 25, actorId: quiet.owner.id });
  await listActivity(admin, { limit: 25, customerId: customer.id });
  await listActivity(admin, { limit: 25, merchantId: quiet.merchant.id });
  await listActivity(admin, { limit: 25, from: "2099-01-01" });
  await listActivity(owner, { limit: 25 });
  await listActivity(owner, { limit: 25, kind: "session" });
  await listActivity(busy, { limit: 25, kind: "branch" });
  await listActivity(busy, { limit: 25, actorId: shop.owner.id, from: "2020-01-01", to: "2099-01-01" });
  expect(watched.statements.length).toBeGreaterThanOrEqual(12);
  for (const { sql, scanned, read: rows } of watched.statements) {
    expect(scanned, sql).toEqual([]);
    expect(rows, sql).toBeLessThan(1_000);
  }
});

test("a day that Postgres does not know is refused, and not a fault", async () => {
  const token = await tokenOf(db, (await makeMerchant(db)).owner);
  for (const query of ["?from=0000-01-01", "?from=0001-01-01", "?to=0000-01-01", "?to=9999-12-31"])
    expect(await call(activity, { token, query })).toMatchObject({ status: 400, code: "validation" });
});
