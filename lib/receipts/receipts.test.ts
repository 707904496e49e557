import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { updateBranch } from "@/lib/branches/branches";
import { freezableCard } from "@/lib/cards/freeze-card";
import { formatDateTime } from "@/lib/domain/time";
import { giveBonus, redeem, refund, reverse, topUp } from "@/lib/ledger/move-points";
import { changeSettings } from "@/lib/merchants/settings";
import { processPostingOutbox } from "@/lib/tasks/movement-posted";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import {
  contextOf,
  makeAdmin,
  makeCustomer,
  makeMerchant,
  makeWorker,
  publicContext,
} from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { minutesAgo, offlineTill, outcomes, sync } from "@/lib/testing/offline-till";
import { contextAt, makeTill } from "@/lib/testing/tills";
import { firstNameOf, type PaperLine } from "./model/receipt";
import { printReceipt, viewReceipt } from "./receipts";

const print = handlerOf("POST", "transactions/{id}/receipt");
const view = handlerOf("GET", "transactions/{id}/receipt");

const db = await testDb();

async function counter() {
  const shop = await makeMerchant(db, { redeemAllowance: 20_000, unprovedWorkerDaily: 20_000 });
  const worker = await makeWorker(db, shop, { firstName: "Ravi", lastName: "Menon" });
  const customer = await makeCustomer(db, shop, { fullName: "عبد الرحمن بن خليفة الكعبي" });
  const at = await makeTill(db, shop);
  const place = { customerId: customer.id, branchId: shop.branch.id };
  return {
    shop,
    worker,
    customer,
    at,
    place,
    ctx: contextAt(db, worker, at),
    owner: contextOf(db, shop.owner),
  };
}

const textsOf = (lines: PaperLine[]) =>
  lines.flatMap((line) =>
    line.kind === "rule" ? [] : line.kind === "pair" ? [`${line.en} | ${line.ar}`] : [line.text],
  );

describe("what a receipt says", () => {
  test("the branch by both names, while it has the name that the movement keeps", async () => {
    const { shop, ctx, place, owner } = await counter();
    await updateBranch(owner, { id: shop.branch.id, name: "West Bay", nameAr: "الخليج الغربي" });
    const { movement } = await topUp(ctx, { ...place, points: 10 });
    const { movement: there } = await topUp(ctx, { ...place, points: 10 });
    const seen = async (movementId: string) => textsOf((await viewReceipt(owner, { movementId })).lines);
    expect(await seen(movement.id)).toContainEqual(expect.stringMatching(/^West Bay · الخليج الغربي · /));
    await updateBranch(owner, { id: shop.branch.id, name: "Corniche", nameAr: "الكورنيش" });
    expect(await seen(there.id)).toContainEqual(expect.stringMatching(/^West Bay · (?!ال)/));
  });

  test("the counter's time of a top-up that a till kept, printed and mailed", async () => {
    const kept = await offlineTill(db);
    const occurredAt = minutesAgo(90);
    const entry = await kept.entry({ dOccurredAt: occurredAt.toISOString() });
    expect(outcomes(await sync(kept, [entry]))).toEqual(["posted"]);
    const { id } = await db.movement.findFirstOrThrow({ where: { customerId: kept.customer.id } });
    const { lines } = await viewReceipt(contextOf(db, kept.shop.owner), { movementId: id });
    await processPostingOutbox({ db });
    const { text } = await db.email.findUniqueOrThrow({ where: { id } });
    const time = formatDateTime(occurredAt, "en");
    expect(textsOf(lines)).toContainEqual(expect.stringContaining(time));
    expect(text).toContain(time);
    // The link in it works as long as that of any other receipt.
    const [, token = ""] = /\/freeze\/(\S+)/.exec(text) ?? [];
    const later = new Date(Date.now() + 60_000);
    expect(await freezableCard(publicContext(db, { clock: () => later }), { token })).toMatchObject({
      used: false,
    });
  });

  test("a cash top-up, in both languages, with the card's code and no other id of it", async () => {
    const { shop, ctx, place, customer, at } = await counter();
    const { movement } = await topUp(ctx, { ...place, points: 100, saleRef: "A-17" });
    const receipt = await printReceipt(ctx, { movementId: movement.id });
    const number = `${customer.code}-1`;
    expect(receipt).toMatchObject({
      prints: 1,
      copy: false,
      opensDrawer: true,
      paperWidth: 80,
      link: expect.stringMatching(/^https?:\/\/[^/]+\/customer\/loyalty-card$/),
      merchant: shop.merchant.businessName,
      branch: shop.branch.name,
      till: at.till.name,
      cashier: "Ravi Menon",
      customer: "عبد الرحمن",
      number,
      customerCode: customer.code,
      customerIdEnd: customer.publicId.slice(-4),
      points: 100,
      amount: "100.00",
      bonusPoints: 0,
      tender: "cash",
      saleRef: "A-17",
      balance: 100,
      balanceValue: "100.00",
    });
    const texts = textsOf(receipt.lines);
    for (const said of [
      shop.merchant.businessName,
      `${shop.branch.name} · ${at.till.name}`,
      "Top-up | شحن",
      "+QAR 100.00 | \u2066+100.00\u2069 ر.ق",
      "+100 pts | \u2066+100\u2069 نقطة",
      "QAR 100.00 | 100.00 ر.ق",
      "Paid in cash | نقدًا",
      "Bill number | رقم الفاتورة",
      "A-17",
      `عبد الرحمن ${customer.code}`,
      "Cashier | الموظف",
      "Ravi Menon",
      number,
    ]) {
      expect(texts).toContain(said);
    }
    const paper = JSON.stringify(receipt.lines);
    for (const secret of [
      customer.id,
      customer.publicId,
      movement.id,
      "الكعبي",
      customer.email,
      customer.phone,
    ]) {
      expect(paper).not.toContain(secret);
    }
  });

  test("of a card without a code yet names the end of the public id and the movement", async () => {
    const { shop, owner } = await counter();
    const customer = await makeCustomer(db, shop, { code: null });
    const place = { customerId: customer.id, branchId: shop.branch.id };
    const { movement } = await topUp(owner, { ...place, points: 5 });
    const { lines } = await viewReceipt(owner, { movementId: movement.id });
    expect(textsOf(lines)).toContain(`Layla •••• ${customer.publicId.slice(-4)}`);
    expect(textsOf(lines)).toContain(movement.id);
  });

  test("a redemption with bonus, its refund and the reversal of a cash top-up", async () => {
    const { ctx, owner, place } = await counter();
    const cash = await topUp(ctx, { ...place, points: 30 });
    const undone = await reverse(ctx, { movementId: cash.movement.id });
    await topUp(ctx, { ...place, points: 50, tender: "card" });
    await giveBonus(owner, { ...place, points: 20, reason: "Eid" });
    const spent = await redeem(ctx, { ...place, points: 60 });
    const back = await refund(owner, { movementId: spent.movement.id, points: 10, reason: "Returned" });
    const of = (ctxOf: typeof owner, { movement }: typeof cash) =>
      viewReceipt(ctxOf, { movementId: movement.id });
    // Cash goes back to the customer.
    expect(await of(ctx, undone)).toMatchObject({ type: "REVERSAL", points: -30, opensDrawer: true });
    const redeemed = await of(ctx, spent);
    expect(redeemed).toMatchObject({
      points: -60,
      bonusPoints: -20,
      tender: null,
      opensDrawer: false,
      balance: 10,
    });
    expect(textsOf(redeemed.lines)).toContain(
      "QAR 40.00 paid · QAR 20.00 bonus | المدفوع 40.00 ر.ق · المكافأة 20.00 ر.ق",
    );
    expect(await of(owner, back)).toMatchObject({ type: "REFUND", points: 10, opensDrawer: false });
  });

  test("a card payment opens no drawer; a deleted card has no name", async () => {
    const { ctx, place, customer, owner } = await counter();
    const { movement } = await topUp(ctx, { ...place, points: 5, tender: "card" });
    const { opensDrawer, lines } = await viewReceipt(ctx, { movementId: movement.id });
    expect(opensDrawer).toBe(false);
    expect(textsOf(lines)).toContain("Paid by card | بطاقة مصرفية");
    await reverse(owner, { movementId: movement.id, reason: "Wrong card" });
    const gone = { fullName: "", email: null, phone: null, dateOfBirth: null, erasedAt: new Date() };
    await db.customer.update({ where: { id: customer.id }, data: { ...gone, status: "erased" } });
    expect(await viewReceipt(owner, { movementId: movement.id })).toMatchObject({ customer: null });
  });

  test.each([
    ["Layla Haddad", "Layla"],
    ["  Layla  ", "Layla"],
    ["عبد الله الكواري", "عبد الله"],
    ["Abdul Rahman Khan", "Abdul Rahman"],
    ["أبو بكر", "أبو بكر"],
    ["عبد", "عبد"],
  ])("the first name of %s", (full, first) => {
    expect(firstNameOf(full)).toBe(first);
  });
});

describe("prints", () => {
  test("of many at once exactly one is the original, and every copy is audited", async () => {
    const { shop, ctx, place, customer } = await counter();
    const { movement } = await topUp(ctx, { ...place, points: 10 });
    const input = { movementId: movement.id };
    expect(await viewReceipt(ctx, input)).toMatchObject({ prints: 0, copy: false });
    const printed = await Promise.all([1, 2, 3, 4, 5, 6].map(() => printReceipt(ctx, input)));
    expect(printed.map(({ prints }) => prints).sort()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(printed.filter(({ copy }) => !copy)).toMatchObject([{ prints: 1, opensDrawer: true }]);
    expect(printed.filter(({ opensDrawer }) => opensDrawer)).toHaveLength(1);
    for (const { copy, lines } of printed) expect(textsOf(lines).includes("COPY | نسخة")).toBe(copy);
    expect(await viewReceipt(ctx, input)).toMatchObject({ prints: 6, copy: true, opensDrawer: false });
    const audits = await db.audit.findMany({
      where: { merchantId: shop.merchant.id, action: "customer.receipt_copied" },
    });
    expect(audits).toHaveLength(5);
    expect(audits.every(({ entityId }) => entityId === customer.id)).toBe(true);
  });

  test("a lost answer asked for again with its key is the same print; another person's is not", async () => {
    const { ctx, owner, place } = await counter();
    const { movement } = await topUp(ctx, { ...place, points: 10 });
    const input = { movementId: movement.id, idempotencyKey: randomUUID() };
    const both = await Promise.all([printReceipt(ctx, input), printReceipt(ctx, input)]);
    expect(both).toMatchObject([
      { prints: 1, copy: false },
      { prints: 1, copy: false },
    ]);
    expect(await printReceipt(owner, input)).toMatchObject({ prints: 2, copy: true });
    expect(await printReceipt(ctx, input)).toMatchObject({ prints: 3, copy: true });
  });

  test("who may: the cashier their own, the owner all of the merchant, nobody else", async () => {
    const { shop, ctx, owner, worker, place } = await counter();
    const { movement } = await topUp(ctx, { ...place, points: 10 });
    const input = { movementId: movement.id };
    const others = [contextOf(db, await makeWorker(db, shop)), contextOf(db, (await makeMerchant(db)).owner)];
    for (const other of others) {
      await expect(viewReceipt(other, input)).rejects.toMatchObject({ code: "movement_not_found" });
      await expect(printReceipt(other, input)).rejects.toMatchObject({ code: "movement_not_found" });
    }
    const admin = contextOf(db, await makeAdmin(db, { role: "admin" }));
    await expect(printReceipt(admin, input)).rejects.toMatchObject({ code: "forbidden" });
    const stopped = contextOf(db, worker, { actor: { merchantStatus: "rejected" } });
    await expect(printReceipt(stopped, input)).rejects.toMatchObject({ code: "merchant_rejected" });
    expect(await printReceipt(owner, input)).toMatchObject({ prints: 1 });
  });

  test("none of a bonus, and no print is taken back", async () => {
    const { ctx, owner, place } = await counter();
    const { movement } = await giveBonus(owner, { ...place, points: 5, reason: "Eid" });
    await expect(printReceipt(owner, { movementId: movement.id })).rejects.toMatchObject({
      code: "no_receipt",
    });
    const { movement: paid } = await topUp(ctx, { ...place, points: 5 });
    await printReceipt(ctx, { movementId: paid.id });
    const where = { movementId: paid.id };
    await expect(db.receiptPrint.delete({ where })).rejects.toThrow();
    await expect(db.receiptPrint.update({ where, data: { prints: 0 } })).rejects.toThrow();
  });
});

test("over the API: view, print, copy, on the paper of the merchant's setting", async () => {
  const { shop, ctx, owner, worker, place } = await counter();
  const { movement } = await topUp(ctx, { ...place, points: 10 });
  await changeSettings(owner, changeSettings.input.parse({ id: shop.merchant.id, paperWidth: "58" }));
  const token = await tokenOf(db, worker);
  const at = { token, params: { id: movement.id } };
  expect(await call(view, at)).toMatchObject({
    status: 200,
    data: {
      iPrints: 0,
      iPaperWidth: 58,
      bCopy: false,
      sLogo: null,
      note: { sPath: expect.stringContaining(`/card/note/${shop.merchant.publicId}?plain=1`) },
    },
  });
  const headers = { "Idempotency-Key": randomUUID() };
  for (let time = 0; time < 2; time++) {
    expect(await call(print, { ...at, method: "POST", headers })).toMatchObject({
      data: {
        iPrints: 1,
        bCopy: false,
        eTender: "cash",
        aLines: expect.arrayContaining([{ eKind: "rule" }]),
      },
    });
  }
  expect(await call(print, { ...at, method: "POST" })).toMatchObject({ data: { iPrints: 2, bCopy: true } });
  expect(await call(print, { ...at, method: "POST", params: { id: randomUUID() } })).toMatchObject({
    status: 404,
  });
  expect(await call(view, { params: at.params })).toMatchObject({ status: 401 });
});
