import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import type { Movement } from "@/lib/db/generated/client";
import type { Locale } from "@/lib/domain/roles";
import { addDays, dayStart, lastDays, qatarDay } from "@/lib/domain/time";
import { fillDailySums } from "@/lib/jobs/daily-sums";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import {
  contextOf,
  type MerchantFixture,
  makeAdmin,
  makeCustomer,
  makeMerchant,
} from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { waitForOpenTransactions } from "@/lib/testing/horizon";
import { postAtRandom, seededRandom } from "@/lib/testing/post-rows";
import { liability, liabilityDays } from "./liability";
import { LIABILITY_LINES, LINE_OF, type LiabilityFigures } from "./model/liability";

const journalCall = handlerOf("GET", "ledger/journal");
const liabilityCall = handlerOf("GET", "reports/liability");

const db = await testDb();
const FIRST = "2026-05-01";
let shops: MerchantFixture[];
let all: Movement[];

beforeAll(async () => {
  shops = [await makeMerchant(db), await makeMerchant(db)];
  for (const [index, shop] of shops.entries()) {
    const customers = await Promise.all(Array.from({ length: 3 }, () => makeCustomer(db, shop)));
    const from = dayStart(addDays(FIRST, index));
    await postAtRandom(db, shop, customers, { rounds: 30, from }, seededRandom(index + 7));
    if (index === 0) {
      await waitForOpenTransactions(db);
      await fillDailySums(db);
    }
  }
  await db.pointsConfig.create({
    data: {
      merchantId: shops[1]?.merchant.id,
      version: 1,
      dirhamsPerPoint: 150,
      minTopUp: 1,
      maxTopUp: 5000,
      maxBalance: 20_000,
      undoMinutes: 15,
      createdAt: dayStart(addDays(FIRST, 4)),
    },
  });
  await db.pointsConfig.updateMany({ where: { merchantId: null }, data: { createdAt: new Date(0) } });
  all = await db.movement.findMany();
});

/** The same figures, one movement at a time. */
function oneByOne(movements: Movement[], from: string, to: string) {
  const figures = {
    opening: { paid: 0, bonus: 0 },
    closing: { paid: 0, bonus: 0 },
    lines: Object.fromEntries(LIABILITY_LINES.map((line) => [line, { paid: 0, bonus: 0 }])),
  } as Pick<LiabilityFigures, "opening" | "closing" | "lines">;
  for (const one of movements) {
    const day = qatarDay(one.createdAt);
    if (day > to) continue;
    const into = day < from ? figures.opening : figures.lines[LINE_OF[one.type]];
    for (const sum of [into, figures.closing]) {
      sum.paid += one.paidPoints;
      sum.bonus += one.bonusPoints;
    }
  }
  return figures;
}

async function checkAll() {
  const admin = contextOf(db, await makeAdmin(db));
  for (let first = -1; first < 8; first += 3) {
    for (let last = first; last < 12; last += 2) {
      const [from, to] = [addDays(FIRST, first), addDays(FIRST, last)];
      const report = await liability(admin, { from, to });
      expect(report.total).toMatchObject(oneByOne(all, from, to));
      const days = await liabilityDays(admin, { from, to });
      expect(days.map(({ day }) => day)).toEqual(lastDays(to, days.length));
      expect(days[0]?.day).toBe(from);
      for (const { day, ...held } of days) expect(held).toEqual(oneByOne(all, day, day).closing);
      for (const { merchant, ...figures } of report.merchants) {
        const own = all.filter(({ merchantId }) => merchantId === merchant.id);
        expect(figures).toMatchObject(oneByOne(own, from, to));
        const raised = shops[1]?.merchant.id === merchant.id;
        const rate = (day: string) => (raised && day >= addDays(FIRST, 4) ? 150n : 100n);
        const { worth } = figures;
        for (const pocket of ["paid", "bonus"] as const) {
          expect(worth.opening[pocket]).toBe(BigInt(figures.opening[pocket]) * rate(addDays(from, -1)));
          expect(worth.closing[pocket]).toBe(BigInt(figures.closing[pocket]) * rate(to));
          expect(worth.opening[pocket] + worth.moved[pocket] + worth.revaluation[pocket]).toBe(
            worth.closing[pocket],
          );
        }
      }
    }
  }
}

test("opening and all lines are closing, by pocket, for each merchant and together, whatever is summed yet", async () => {
  expect(new Set(all.map(({ type }) => type)).size).toBe(8);
  await checkAll();
  await waitForOpenTransactions(db);
  await fillDailySums(db);
  await checkAll();
});

test("the daily series covers the last 366 days, of one merchant too; another's is not found", async () => {
  const [shop, other] = shops as [MerchantFixture, MerchantFixture];
  const owner = contextOf(db, shop.owner);
  const to = addDays(FIRST, 20);
  const days = await liabilityDays(owner, { from: "2020-01-01", to });
  expect([days.length, days.at(-1)?.day]).toEqual([366, to]);
  const own = all.filter(({ merchantId }) => merchantId === shop.merchant.id);
  expect(days.at(-1)).toMatchObject(oneByOne(own, to, to).closing);
  const foreign = liabilityDays(owner, { from: FIRST, to, merchantId: other.merchant.id });
  await expect(foreign).rejects.toThrow("merchant_not_found");
});

test("the call answers the owner's own, in points and QAR; as CSV too; another's is not found", async () => {
  const [shop, other] = shops as [MerchantFixture, MerchantFixture];
  const token = await tokenOf(db, shop.owner);
  const query = `?from=${FIRST}&to=${addDays(FIRST, 3)}`;
  const { data } = await call(liabilityCall, { token, query });
  const own = all.filter(({ merchantId }) => merchantId === shop.merchant.id);
  const expected = oneByOne(own, FIRST, addDays(FIRST, 3));
  expect(data).toMatchObject({
    iToppedUp: expected.lines.toppedUp.paid,
    oRefunded: { iPaid: expected.lines.refunded.paid, iBonus: expected.lines.refunded.bonus },
    oClosing: {
      iPaid: expected.closing.paid,
      iBonus: expected.closing.bonus,
      sPaidValue: `${expected.closing.paid}.00`,
    },
    merchants: [{ merchant: { _id: shop.merchant.id } }],
  });
  const refused = await call(liabilityCall, { token, query: `${query}&iMerchantId=${other.merchant.id}` });
  expect([refused.status, refused.code]).toEqual([404, "merchant_not_found"]);
  const request = new Request(`http://localhost/api${query}&format=csv`, {
    headers: { authorization: token },
  });
  const file = await liabilityCall(request, { params: {} });
  expect(file.headers.get("content-type")).toContain("text/csv");
  const rows = (await file.text()).trim().split("\r\n");
  expect(rows).toHaveLength(13);
  expect(rows.at(-1)).toContain(`,Closing balance,${FIRST},${addDays(FIRST, 3)},${expected.closing.paid},`);
});

test("every transaction of the journal adds up to zero, in points and in QAR, and its accounts are the ledger's", async () => {
  const [shop] = shops as [MerchantFixture, MerchantFixture];
  const token = await tokenOf(db, shop.owner);
  const query = `?from=2026-01-01&to=2027-12-31`;
  const request = new Request(`http://localhost/api${query}`, { headers: { authorization: token } });
  const file = await journalCall(request, { params: {} });
  const [header, ...rows] = (await file.text()).replace("\uFEFF", "").trim().split("\r\n");
  expect(header).toBe("date,transaction,type,account,points,amount,currency,merchant");
  const sums = new Map<string, [number, number]>();
  const accounts = new Map<string, number>();
  for (const row of rows) {
    const [, transaction = "", , account = "", points, amount] = row.split(",");
    const [p, a] = sums.get(transaction) ?? [0, 0];
    sums.set(transaction, [p + Number(points), a + Math.round(Number(amount) * 100)]);
    accounts.set(account, (accounts.get(account) ?? 0) + Number(points));
  }
  const own = all.filter(({ merchantId }) => merchantId === shop.merchant.id);
  expect(sums.size).toBe(own.length);
  expect([...sums.values()].filter(([points, amount]) => points !== 0 || amount !== 0)).toEqual([]);
  const held = (pocket: "paidPoints" | "bonusPoints") => own.reduce((sum, one) => sum + one[pocket], 0);
  expect(accounts.get("liabilities:customers:paid")).toBe(-held("paidPoints"));
  expect(accounts.get("liabilities:customers:bonus")).toBe(-held("bonusPoints"));
});

test("a journal of an unknown merchant, or of days in the wrong order, is refused like the report", async () => {
  const [shop, other] = shops as [MerchantFixture, MerchantFixture];
  const [owner, admin] = [await tokenOf(db, shop.owner), await tokenOf(db, await makeAdmin(db))];
  const days = `?from=${FIRST}&to=${FIRST}`;
  for (const get of [journalCall, liabilityCall]) {
    const foreign = await call(get, { token: owner, query: `${days}&iMerchantId=${other.merchant.id}` });
    const unknown = await call(get, { token: admin, query: `${days}&iMerchantId=${randomUUID()}` });
    const backwards = await call(get, { token: owner, query: `?from=${FIRST}&to=${addDays(FIRST, -1)}` });
    expect([foreign, unknown, backwards].map(({ code }) => code)).toEqual([
      "merchant_not_found",
      "merchant_not_found",
      "validation",
    ]);
  }
});

test.each<[Locale, ...string[]]>([
  ["en", "Merchant,Line,From,To,Paid (points)", "Closing balance", "Karak Corner"],
  ["ar", "المتجر,البند,من,إلى,مدفوعة (نقاط)", "الرصيد الختامي", "ركن الكرك"],
])(
  "the files are in the reader's language (%s), with the merchant's name in it",
  async (locale, head, closing, name) => {
    const [shop] = shops as [MerchantFixture, MerchantFixture];
    const names = { businessName: "Karak Corner", businessNameAr: "ركن الكرك" };
    await db.merchant.update({ where: { id: shop.merchant.id }, data: names });
    await db.user.update({ where: { id: shop.owner.id }, data: { locale } });
    const headers = { authorization: await tokenOf(db, shop.owner) };
    const read = async (get: typeof journalCall, query: string) => {
      const file = await get(new Request(`http://localhost/api${query}`, { headers }), {
        params: {},
      });
      return (await file.text()).replace("\uFEFF", "").trim().split("\r\n");
    };
    const days = `?from=${FIRST}&to=${addDays(FIRST, 3)}`;
    const report = await read(liabilityCall, `${days}&format=csv`);
    expect(report[0]).toContain(head);
    expect(report.at(-1)).toContain(`${name},${closing},${FIRST},`);
    const [, ...entries] = await read(journalCall, days);
    expect(new Set(entries.map((line) => line.split(",").at(-1)))).toEqual(new Set([name]));
  },
);
