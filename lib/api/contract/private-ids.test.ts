import { generateKeyPairSync, randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { openSession } from "@/lib/accounts/session";
import { giveNotice } from "@/lib/audit/notices";
import { editCustomer } from "@/lib/customers/edit-customer";
import type { User } from "@/lib/db/generated/client";
import { exportMovements } from "@/lib/ledger/read-movements";
import { tokenOf } from "@/lib/testing/calls";
import { type Call, type DocumentedCall, exchange, OPERATIONS } from "@/lib/testing/contract/exchange";
import { CRON_SECRET, PUBLIC_EXAMPLES } from "@/lib/testing/contract/public-examples";
import { STAFF_EXAMPLES } from "@/lib/testing/contract/staff-examples";
import { type Example, makeWorld, type World } from "@/lib/testing/contract/world";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeAdmin, makeCustomer, makeWorker } from "@/lib/testing/factories";
import { move } from "@/lib/testing/movements";
import { makeTill, type TillKey } from "@/lib/testing/tills";

vi.stubEnv("CRON_SECRET", CRON_SECRET);
vi.stubEnv("GOOGLE_WALLET_ISSUER_ID", "3388000000000000001");
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = privateKey.export({ type: "pkcs8", format: "pem" });
vi.stubEnv(
  "GOOGLE_WALLET_KEY",
  JSON.stringify({ client_email: "wallet@project.iam.test", private_key: pem }),
);

const db = await testDb();
const world = await makeWorld(db);
const EXAMPLES = { ...PUBLIC_EXAMPLES, ...STAFF_EXAMPLES };

/** Calls that answer the holder of a card, whoever else is signed in in that browser. */
const OF_HOLDERS = ["post /customers/register", "get /customer/{id}/my-data"];

type Visitor = { user: User; token: () => Promise<string>; till?: TillKey };

/** An employee, an employee whom a PIN signed in on a till, and an administrator who is no super_admin. */
async function visitors(): Promise<Record<"employee" | "cashier" | "admin", Visitor>> {
  const [employee, cashier] = [await makeWorker(db, world.shop), await makeWorker(db, world.shop)];
  const admin = await makeAdmin(db, { role: "admin" });
  const { till, key } = await makeTill(db, world.shop);
  const byPin = async () => {
    const from = { userId: cashier.id, userAgent: null, address: "127.0.0.1", now: new Date() };
    return (await openSession(db, { ...from, tillId: till.id })).token;
  };
  return {
    employee: { user: employee, token: () => tokenOf(db, employee) },
    cashier: { user: cashier, token: byPin, till: key },
    admin: { user: admin, token: () => tokenOf(db, admin) },
  };
}

/** The world as this user meets it: what its examples post is the user's. */
function worldOf(user: User): World {
  if (user.role === "admin") return world;
  const shop = { ...world.shop, owner: user };
  return {
    ...world,
    shop,
    movement: async () => move(db, shop, await makeCustomer(db, shop), { points: 40 }),
  };
}

/** The private ids of customers in a text. */
async function privateIdsIn(text: string): Promise<string[]> {
  const ids = text.toLowerCase().match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [];
  const found = await db.customer.findMany({
    where: { id: { in: [...new Set(ids)] } },
    select: { id: true },
  });
  return found.map(({ id }) => id);
}

/** What names a customer in an answer, by both ids. */
function customersIn(value: unknown): { _id: string; sUUID: string }[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.values(value).flatMap(customersIn);
  const { _id, sUUID } = value as { _id?: string; sUUID?: string };
  return _id !== undefined && sUUID !== undefined ? [{ _id, sUUID }, ...inside] : inside;
}

const everybody = await visitors();
const operation = (name: string): DocumentedCall => {
  const found = OPERATIONS.find((one) => one.name === name);
  if (!found) throw new Error(`the document has no ${name}`);
  return found;
};

async function answersTo(visitor: Visitor, of: DocumentedCall, given?: Call) {
  const {
    as: _as,
    data: _data,
    status: _status,
    ...example
  }: Example = given ?? (await exampleFor(visitor, of));
  // Passes and the cron send a secret of their own in this header.
  if (example.headers?.authorization) return exchange(of, example);
  return exchange(of, { ...example, till: visitor.till ?? example.till, token: await visitor.token() });
}

async function exampleFor({ user }: Visitor, of: DocumentedCall) {
  const make = EXAMPLES[of.name];
  if (!make) throw new Error(`lib/testing/contract has no example of ${of.name}`);
  return make(worldOf(user));
}

describe.each(Object.entries(everybody))(
  "the private id of a customer never reaches: %s",
  (_who, visitor) => {
    const calls = OPERATIONS.filter(({ name }) => !OF_HOLDERS.includes(name));
    test.each(calls.map((one) => [one.name, one] as const))("%s", async (_name, one) => {
      const answer = await answersTo(visitor, one);
      expect(answer.violations).toEqual([]);
      expect(await privateIdsIn(`${answer.text}\n${JSON.stringify([...answer.headers])}`)).toEqual([]);
      for (const { _id, sUUID } of customersIn(answer.body?.data)) expect(_id).toBe(sUUID);
    });
  },
);

test("the calls of the counter answer customers by their public id, whichever id was sent", async () => {
  const seen: string[] = [];
  await db.merchant.update({ where: { id: world.shop.merchant.id }, data: { refundDays: 5 } });
  for (const visitor of [everybody.employee, everybody.cashier]) {
    const card = await makeCustomer(db, world.shop);
    for (const customerId of [card.id, card.publicId]) {
      const place = { customerId, iBranchId: world.shop.branch.id };
      const sSaleRef = `INV-${randomUUID().slice(0, 8)}`;
      const posted = await answersTo(visitor, operation("post /top-up-points"), {
        body: { ...place, sPoints: 50 },
      });
      const spent = await answersTo(visitor, operation("post /redeem-points"), {
        body: { ...place, sPoints: 10, sSaleRef },
      });
      const params = { id: (spent.body?.data as { _id: string } | undefined)?._id ?? "" };
      const asked = [
        posted,
        spent,
        await answersTo(visitor, operation("post /transactions/{id}/refund"), {
          params,
          body: { sPoints: 2, sReason: "Returned" },
        }),
        await answersTo(visitor, operation("get /customer-management/view/{id}"), {
          params: { id: customerId },
        }),
        await answersTo(visitor, operation("get /top-up-points/search-customers"), {
          query: { search: card.email ?? "" },
        }),
        await answersTo(visitor, operation("get /transactions"), { query: { customer: customerId } }),
        await answersTo(visitor, operation("get /recent-top-ups")),
        await answersTo(visitor, operation("get /recent-redeems")),
        await answersTo(visitor, operation("get /redeem-points/find"), { query: { sSaleRef } }),
      ];
      for (const { body, text, status } of asked) {
        expect([status, body?.code]).toEqual([200, undefined]);
        expect(await privateIdsIn(text)).toEqual([]);
        const customers = customersIn(body?.data);
        expect(customers.length).toBeGreaterThan(0);
        for (const { _id, sUUID } of customers) expect(_id).toBe(sUUID);
        seen.push(...customers.map(({ _id }) => _id));
      }
    }
    expect(seen).toContain(card.publicId);
  }
});

describe("administrators who are no super_admin", () => {
  const name = `Noura ${randomUUID().slice(0, 8)}`;
  let card: Awaited<ReturnType<typeof makeCustomer>>;
  beforeAll(async () => {
    card = await makeCustomer(db, world.shop);
    await editCustomer(contextOf(db, world.users.owner), { customerId: card.id, fullName: name });
    const exported = await exportMovements(contextOf(db, world.users.owner), { customerId: card.id });
    for await (const _part of exported);
    await giveNotice(db, { kind: "change_waiting", merchantId: null, customerId: card.id });
  });

  type Read = { results: { record?: { _id: string }; customer?: { _id: string; sFullName: string } }[] };
  const read = async (visitor: Visitor) => {
    const query = { customer: card.id };
    const activity = await answersTo(visitor, operation("get /activity"), { query });
    const exported = await answersTo(visitor, operation("get /activity"), { query: { kind: "export" } });
    const notices = await answersTo(visitor, operation("get /notices"), {});
    const [entries, given] = [activity, notices].map(({ body }) => (body?.data as Read | undefined)?.results);
    const notice = given?.find(({ customer }) => customer?.sFullName === name);
    return {
      ids: [entries?.[0]?.record?._id, notice?.customer?._id],
      private: await privateIdsIn(activity.text + notices.text + exported.text),
    };
  };

  test("read activity and notices about customers by the public id", async () => {
    expect(await read(everybody.admin)).toEqual({ ids: [card.publicId, card.publicId], private: [] });
    const { super: superAdmin } = world.users;
    const all = await read({ user: superAdmin, token: () => tokenOf(db, superAdmin) });
    expect(all.ids).toEqual([card.id, card.id]);
    expect(all.private).toContain(card.id);
  });
});

test("an owner and a super_admin still get the private id", async () => {
  const card = await world.customer();
  for (const user of [world.users.owner, world.users.super]) {
    const visitor = { user, token: () => tokenOf(db, user) };
    const view = await answersTo(visitor, operation("get /customer-management/view/{id}"), {
      params: { id: card.publicId },
    });
    expect(view.body?.data).toMatchObject({ _id: card.id, sUUID: card.publicId });
  }
});
