import { expect, test } from "vitest";
import { reverse } from "@/lib/ledger/move-points";
import { movementTotals } from "@/lib/ledger/movement-totals";
import { auditsOf } from "@/lib/testing/audits";
import { testDb } from "@/lib/testing/database";
import { endLots } from "@/lib/testing/end-lots";
import { contextOf, makeAdmin, makeCustomer, makeMerchant, makeWorker } from "@/lib/testing/factories";
import { move } from "@/lib/testing/movements";
import { postRow } from "@/lib/testing/post-rows";
import { customerProfile } from "./customer";
import { editCustomer, sendUnfreezeCode, unfreezeCustomer } from "./edit-customer";
import { listCustomers } from "./list-customers";
import type { ListCustomers } from "./model/customers";
import { editCustomerSchema, listCustomersSchema } from "./model/customers";

const db = await testDb();
const ask = (input: Partial<ListCustomers> = {}): ListCustomers => listCustomersSchema.parse(input);

test("cursor pages list each customer once, even when they registered at the same time", async () => {
  const shop = await makeMerchant(db);
  const at = new Date("2026-05-05T10:00:00Z");
  const made = await Promise.all(
    Array.from({ length: 7 }, () => makeCustomer(db, shop, { registeredAt: at })),
  );
  await db.$executeRaw`update customers set registered_at = registered_at + interval '3 microseconds'
    where id = ${made[0]?.id}::uuid`;
  const ctx = contextOf(db, shop.owner);
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listCustomers(ctx, ask({ cursor, limit: 3 }));
    expect(page.total).toBe(7);
    seen.push(...page.customers.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect([...seen].sort()).toEqual(made.map(({ id }) => id).sort());
  const second = await listCustomers(ctx, ask({ page: 2, limit: 3 }));
  expect(second.customers.map(({ id }) => id)).toEqual(seen.slice(3, 6));
});

test("search finds Arabic names and parts of e-mails and phones, and matches % and _ literally", async () => {
  const shop = await makeMerchant(db);
  const layla = await makeCustomer(db, shop, { fullName: "ليلى الكواري", phone: "+97455123456" });
  const omar = await makeCustomer(db, shop, { fullName: "Omar 100% Khalil", email: "omar_k@example.test" });
  const ctx = contextOf(db, shop.owner);
  const found = async (search: string) =>
    (await listCustomers(ctx, ask({ search }))).customers.map(({ id }) => id);
  expect(await found("كوا")).toEqual([layla.id]);
  expect(await found("5123")).toEqual([layla.id]);
  expect(await found("+974 5512 ٣٤٥٦")).toEqual([layla.id]);
  expect(await found("OMAR_")).toEqual([omar.id]);
  expect(await found("00% k")).toEqual([omar.id]);
  expect(await found("___")).toEqual([]);
  expect(await found(omar.publicId.slice(0, 13))).toEqual([omar.id]);
  expect(await found("om")).toHaveLength(2);
});

test("a change of the name, e-mail or phone, and an erasure, change what a search finds", async () => {
  const shop = await makeMerchant(db);
  const { id } = await makeCustomer(db, shop, { fullName: "Noura Al-Kuwari" });
  const ctx = contextOf(db, shop.owner);
  const count = async (search: string) => (await listCustomers(ctx, ask({ search }))).customers.length;
  expect(await count("al kuwari")).toBe(1);
  await db.customer.update({ where: { id }, data: { fullName: "نورة الكواري" } });
  expect([await count("al kuwari"), await count("نوره الكوارى")]).toEqual([0, 1]);
  await db.customer.update({ where: { id }, data: { phone: "+97455887766" } });
  expect(await count("5588 7766")).toBe(1);
});

test("each role sees only the customers within its reach", async () => {
  const [mine, other] = [await makeMerchant(db), await makeMerchant(db)];
  const customer = await makeCustomer(db, mine);
  const foreign = await makeCustomer(db, other);
  const owner = contextOf(db, mine.owner);
  const ids = (await listCustomers(owner, ask())).customers.map(({ id }) => id);
  expect(ids).toEqual([customer.id]);
  expect((await listCustomers(owner, ask({ merchantId: other.merchant.id }))).customers).toEqual([]);
  await expect(customerProfile(owner, { customerId: foreign.id })).rejects.toThrow("customer_not_found");
  await expect(editCustomer(owner, { customerId: foreign.id, fullName: "X" })).rejects.toThrow(
    "customer_not_found",
  );
  const admin = contextOf(db, await makeAdmin(db));
  expect((await listCustomers(admin, ask({ merchantId: other.merchant.id }))).customers).toHaveLength(1);
  expect((await customerProfile(admin, { customerId: foreign.publicId })).id).toBe(foreign.id);
  const administrator = contextOf(db, await makeAdmin(db, { role: "admin" }));
  await expect(listCustomers(administrator, ask())).rejects.toThrow("forbidden");
  const worker = contextOf(db, await makeWorker(db, mine));
  await expect(listCustomers(worker, ask())).rejects.toThrow("forbidden");
});

test("an edit is audited with its actor, and an edit without changes is not", async () => {
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop);
  const ctx = contextOf(db, shop.owner);
  const input = editCustomerSchema.parse({
    customerId: customer.publicId,
    fullName: "Layla Al Haddad",
    phone: "5512 9999",
    dateOfBirth: "1990-02-28",
  });
  const edited = await editCustomer(ctx, input);
  expect(edited).toMatchObject({
    fullName: "Layla Al Haddad",
    phone: "+97455129999",
    dateOfBirth: "1990-02-28",
  });
  await editCustomer(ctx, input);
  const audits = (await auditsOf(db, customer.id)).filter(({ kind }) => kind === "customer");
  expect(audits).toHaveLength(1);
  expect(audits[0]).toMatchObject({
    actorId: shop.owner.id,
    action: "customer.edit",
    before: { fullName: "Layla Haddad", dateOfBirth: "1995-04-12" },
    after: { fullName: "Layla Al Haddad", dateOfBirth: "1990-02-28" },
  });
});

test("a blocked card accepts no movements until it is unblocked", async () => {
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop);
  const ctx = contextOf(db, shop.owner);
  await editCustomer(ctx, { customerId: customer.id, status: "blocked" });
  await expect(move(db, shop, customer, { points: 10 })).rejects.toThrow("customer_blocked");
  expect((await listCustomers(ctx, ask({ status: "blocked" }))).total).toBe(1);
  await editCustomer(ctx, { customerId: customer.id, status: "active" });
  await move(db, shop, customer, { points: 10 });
  expect(await customerProfile(ctx, { customerId: customer.id })).toMatchObject({
    balance: 10,
    cashValue: "10.00",
    movements: 1,
  });
});

test("a customer has as many transactions as the log that it leads to counts: an undone one is one", async () => {
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop);
  const ctx = contextOf(db, shop.owner);
  await move(db, shop, customer, { points: 10 });
  const undone = await move(db, shop, customer, { points: 5 });
  await reverse(ctx, { movementId: undone.id, reason: "Typed twice" });
  const { movements } = await customerProfile(ctx, { customerId: customer.id });
  expect(movements).toBe((await movementTotals(ctx, { customerId: customer.id }))?.count);
  expect(movements).toBe(2);
});

test("only the holder's code unfreezes a frozen card", async () => {
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop, { status: "frozen" });
  const ctx = contextOf(db, shop.owner);
  for (const status of ["active", "blocked"] as const) {
    await expect(editCustomer(ctx, { customerId: customer.id, status })).rejects.toThrow("customer_frozen");
  }
  await editCustomer(ctx, { customerId: customer.id, fullName: "Still Frozen" });
  await sendUnfreezeCode(ctx, { customerId: customer.id });
  const mail = await db.email.findFirstOrThrow({ where: { recipient: customer.email ?? "" } });
  const code = /\b\d{6}\b/.exec(mail.text)?.[0] ?? "";
  const wrong = code === "000000" ? "000001" : "000000";
  const attempt = (value: string) => unfreezeCustomer(ctx, { customerId: customer.id, code: value });
  await expect(attempt(wrong)).rejects.toThrow("code_invalid");
  expect((await attempt(code)).status).toBe("active");
  await expect(attempt(code)).rejects.toThrow("conflict");
});

test("an erased customer is not listed and cannot be edited", async () => {
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop, {
    status: "erased",
    erasedAt: new Date(),
    email: null,
    phone: null,
    dateOfBirth: null,
  });
  const ctx = contextOf(db, shop.owner);
  expect((await listCustomers(ctx, ask())).total).toBe(0);
  expect((await listCustomers(ctx, ask({ status: "erased" }))).total).toBe(1);
  await expect(editCustomer(ctx, { customerId: customer.id, fullName: "Back" })).rejects.toThrow(
    "customer_erased",
  );
});

test("list, search and profile show what can be spent, and which cards staff hold", async () => {
  const shop = await makeMerchant(db);
  const [held, plain] = [
    await makeCustomer(db, shop, { fullName: "Amal Staff", email: shop.owner.email }),
    await makeCustomer(db, shop, { fullName: "Badr Plain" }),
  ];
  const ends_at = new Date(Date.now() + 86_400_000);
  for (const { id } of [held, plain]) {
    await postRow(db, shop, { type: "IMPORT", customer: id, points: 40 });
    await postRow(db, shop, { type: "IMPORT", customer: id, points: 5 });
  }
  await postRow(db, shop, { type: "BONUS", customer: plain.id, points: 15, reason: "x", ends_at });
  await endLots(db, plain.id);
  await postRow(db, shop, { type: "IMPORT", customer: held.id, points: 1 });
  const ctx = contextOf(db, shop.owner);
  const shown = async (input: Partial<ListCustomers>) =>
    (await listCustomers(ctx, ask(input))).customers.map((one) => [
      one.balance,
      one.cashValue,
      one.heldByStaff,
    ]);
  expect(await shown({ sort: "name" })).toEqual([
    [46, "46.00", true],
    [45, "45.00", false],
  ]);
  expect(await shown({ search: "badr", sort: "name" })).toEqual([[45, "45.00", false]]);
  expect(await customerProfile(ctx, { customerId: plain.id })).toMatchObject({
    balance: 45,
    heldByStaff: false,
  });
});
