import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { listActivity } from "@/lib/activity/read-activity";
import { customerProfile } from "@/lib/customers/customer";
import { getDb } from "@/lib/db/client";
import { mailTransport } from "@/lib/email/transports";
import { listNotices } from "@/lib/notices/notices";
import { TASKS } from "@/lib/tasks";
import { auditsOf } from "@/lib/testing/audits";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeAdmin, makeCustomer, makeMerchant, makeWorker } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { move } from "@/lib/testing/movements";
import { recordOpening } from "./audit";

const view = handlerOf("GET", "customer-management/view/{id}");
const search = handlerOf("GET", "top-up-points/search-customers");

const db = await testDb();
const openingsOf = async (id: string) =>
  (await auditsOf(db, id)).filter(({ action }) => action === "opening.customer");

test("opening a customer is written down once an actor, customer and five minutes, for every role", async () => {
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop);
  const users = [await makeWorker(db, shop), shop.owner, await makeAdmin(db)];
  for (const user of users) {
    const token = await tokenOf(db, user);
    const open = () => call(view, { token, params: { id: customer.publicId } });
    const answers = await Promise.all([open(), open(), open()]);
    expect(answers[0]).toMatchObject({ status: 200, data: { sEmail: customer.email } });
  }
  const entries = await openingsOf(customer.id);
  // Nine openings by three people, which a five-minute boundary may have cut in two.
  expect(new Set(entries.map(({ actorId }) => actorId))).toEqual(new Set(users.map(({ id }) => id)));
  expect(entries.length).toBeLessThanOrEqual(6);
  expect(entries[0]).toMatchObject({
    actorType: "user",
    merchantId: shop.merchant.id,
    address: expect.any(String),
  });
  const owner = contextOf(getDb(), shop.owner);
  const second = await makeCustomer(db, shop);
  await customerProfile(owner, { customerId: second.id });
  expect(await openingsOf(second.id)).toMatchObject([{ actorId: shop.owner.id }]);
  const foreign = await makeCustomer(db, await makeMerchant(db));
  await expect(customerProfile(owner, { customerId: foreign.id })).rejects.toThrow("customer_not_found");
  expect(await openingsOf(foreign.id)).toEqual([]);
});

test("an opening costs one statement", async () => {
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop);
  const ctx = contextOf(getDb(), shop.owner);
  let statements = 0;
  const counted = new Proxy(ctx.db, {
    get(target, name) {
      if (name === "$queryRaw") statements += 1;
      return Reflect.get(target, name);
    },
  });
  await recordOpening({ ...ctx, db: counted }, { id: customer.id, merchantId: shop.merchant.id });
  expect(statements).toBe(1);
});

test("a worker's search finds names by part, e-mail and phone only whole, and masks what was not typed", async () => {
  const shop = await makeMerchant(db);
  const email = `layla.${randomUUID()}@customer.test`;
  const layla = await makeCustomer(db, shop, { fullName: "Layla Haddad", email, phone: "+97455120207" });
  const token = await tokenOf(db, await makeWorker(db, shop));
  const owner = await tokenOf(db, shop.owner);
  const find = async (as: string, term: string) =>
    (await call(search, { token: as, query: `?search=${encodeURIComponent(term)}` })).data as {
      sFullName: string;
      sEmail: string;
      sPhoneNumber: string;
    }[];
  const masked = { _id: layla.publicId, sEmail: "l•••@customer.test", sPhoneNumber: "+974 •••• 0207" };
  expect(await find(token, "Hadd")).toMatchObject([masked]);
  for (const part of [
    email.slice(0, 12),
    "customer.test",
    "5512",
    "5512020",
    "97455",
    layla.publicId.slice(0, 8),
  ]) {
    expect(await find(token, part), part).toEqual([]);
    expect(await find(owner, part), part).toMatchObject([{ sEmail: email, sPhoneNumber: "+97455120207" }]);
  }
  expect(await find(token, email.toUpperCase())).toMatchObject([{ ...masked, sEmail: email }]);
  for (const whole of ["55120207", "+974 5512 0207", "٥٥١٢٠٢٠٧", "97455120207"]) {
    expect(await find(token, whole), whole).toMatchObject([{ ...masked, sPhoneNumber: "+97455120207" }]);
  }
  expect(await find(token, layla.publicId)).toMatchObject([masked]);
});

test("more than 60 openings an hour without a movement tell the owner, once an hour", async () => {
  const shop = await makeMerchant(db);
  const worker = await makeWorker(db, shop, { firstName: "Ravi", lastName: "Menon" });
  const ctx = contextOf(getDb(), worker);
  const customers = await Promise.all(Array.from({ length: 62 }, () => makeCustomer(db, shop)));
  for (const { id } of customers) await recordOpening(ctx, { id, merchantId: shop.merchant.id });
  const run = () => TASKS.many_openings?.({ db: getDb(), transport: mailTransport() }, {});
  const mails = () => db.email.findMany({ where: { recipient: shop.owner.email } });
  const [first, second] = customers;
  // Whoever was served is not counted: 60 are left.
  if (first) await move(db, shop, first, { points: 10, actor: worker });
  if (second) await move(db, shop, second, { points: 10, actor: worker });
  await run();
  expect(await mails()).toEqual([]);
  const last = await makeCustomer(db, shop);
  await recordOpening(ctx, { id: last.id, merchantId: shop.merchant.id });
  await run();
  await run();
  expect(await mails()).toMatchObject([{ subject: "Ravi Menon viewed many customers" }]);
  const warnings = (await auditsOf(db, worker.id)).filter(({ action }) => action === "opening.many");
  expect(warnings).toMatchObject([
    { actorType: "system", merchantId: shop.merchant.id, after: { openings: 61 } },
  ]);
});

test("an owner is told of an administrator's many openings without the name", async () => {
  const shop = await makeMerchant(db);
  const admin = await makeAdmin(db, { firstName: "Sara", lastName: "Darwish" });
  const customers = await Promise.all(Array.from({ length: 61 }, () => makeCustomer(db, shop)));
  for (const { id } of customers)
    await recordOpening(contextOf(getDb(), admin), { id, merchantId: shop.merchant.id });
  await TASKS.many_openings?.({ db: getDb(), transport: mailTransport() }, {});
  const mails = await db.email.findMany({ where: { recipient: shop.owner.email } });
  expect(mails).toMatchObject([{ subject: "An administrator viewed many customers" }]);
  const owner = contextOf(getDb(), shop.owner);
  const told = { mails, notices: await listNotices(owner, {}), log: await listActivity(owner, {}) };
  expect(told.notices.results).toMatchObject([{ kind: "many_openings", personName: "An administrator" }]);
  expect(told.log.results[0]).toMatchObject({ action: "opening.many", entityId: null, entityName: null });
  const text = JSON.stringify(told, (_, value) => (typeof value === "bigint" ? String(value) : value));
  expect(text).not.toContain("Darwish");
  expect(text).not.toContain(admin.id);
  // The administrators see whose account it was.
  const all = await listActivity(contextOf(getDb(), admin), {
    merchantId: shop.merchant.id,
    kind: "opening",
  });
  expect(all.results[0]).toMatchObject({ entityId: admin.id, entityName: "Sara Darwish" });
});
