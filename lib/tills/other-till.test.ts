import { describe, expect, test } from "vitest";
import type { DomainError } from "@/lib/domain/errors";
import { reverse, topUp } from "@/lib/ledger/move-points";
import { listNotices } from "@/lib/notices/notices";
import { handlePostedMovements } from "@/lib/tasks/movement-posted";
import { call, tokenOf } from "@/lib/testing/calls";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeCustomer } from "@/lib/testing/factories";
import { handlerOf } from "@/lib/testing/handlers";
import { cashOf, shopWithTill } from "@/lib/testing/shop-with-till";
import { contextAt, makeTill, proofOf } from "@/lib/testing/tills";
import { frozenReportSchema } from "./model/shift";
import { getShift } from "./read-shifts";
import { closeShift, openShift } from "./run-shifts";

const reverseCall = handlerOf("POST", "transactions/{id}/reverse");

const db = await testDb();

/** A shop with two tills, each with an open shift, whose worker may stand at either or at none. */
async function twoTills() {
  const here = await shopWithTill(db);
  const other = await makeTill(db, here.shop);
  const there = contextAt(db, here.worker, other);
  const shift = await openShift(here.ctx, { tillId: here.at.till.id, float: 10_000 });
  const otherShift = await openShift(there, { tillId: other.till.id, float: 0 });
  const without = contextOf(db, here.worker);
  /** A top-up of a new customer, so that it is their latest. */
  const take = async (ctx: typeof there, points: number, tender: "cash" | "card" = "cash") => {
    const { id: customerId } = await makeCustomer(db, here.shop);
    return (await topUp(ctx, { ...here.place, customerId, points, tender })).movement.id;
  };
  return { ...here, other, there, shift, otherShift, without, take };
}

describe("at a till", () => {
  test("a worker undoes the cash that it took, however many tries arrive together, and no other till's", async () => {
    const { ctx, there, without, take, at, other, shop, shift, otherShift } = await twoTills();
    const [mine, theirs, none, card] = [
      await take(ctx, 10),
      await take(there, 20),
      await take(without, 30),
      await take(there, 40, "card"),
    ];
    const undo = (by: typeof ctx, movementId: string) =>
      reverse(by, { movementId }).then(
        ({ movement }) => movement.id,
        ({ code, params: { known, till } }: DomainError) => ({ code, params: { known, till } }),
      );
    const refused = (known: string, till: string) => ({ code: "other_till", params: { known, till } });
    // A crowd that includes the right till gets one reversal: a try elsewhere is refused, or is answered with the reversal
    // that stands.
    const crowd = async (movementId: string, refusal: object) => {
      const tries = [ctx, there, ctx, there, ctx, there].map((by) => undo(by, movementId));
      const answers = await Promise.all(tries);
      for (const one of answers) if (typeof one === "object") expect(one).toEqual(refusal);
      return new Set(answers.filter((one) => typeof one === "string"));
    };
    expect((await crowd(card, {})).size).toBe(1);
    expect((await crowd(none, refused("no", ""))).size).toBe(0);
    expect(await undo(without, none)).toBeTypeOf("string");
    expect(await undo(ctx, theirs)).toEqual(refused("yes", other.till.name));
    expect((await crowd(theirs, refused("yes", other.till.name))).size).toBe(1);
    expect(await undo(there, mine)).toEqual(refused("yes", at.till.name));
    expect((await crowd(mine, refused("yes", at.till.name))).size).toBe(1);
    const reversals = await db.movement.findMany({
      where: { merchantId: shop.merchant.id, type: "REVERSAL" },
      select: { reversesId: true, tillId: true },
    });
    const tillOf = (id: string) => reversals.find(({ reversesId }) => reversesId === id)?.tillId;
    expect([tillOf(none), tillOf(theirs), tillOf(mine)]).toEqual([null, other.till.id, at.till.id]);
    expect(reversals).toHaveLength(4);
    const closed = await closeShift(ctx, { id: shift.id, counted: { cash: 10_000 } });
    expect(cashOf(closed)).toMatchObject({ expected: 10_000, difference: 0 });
    expect(closed.report?.otherTills).toEqual([]);
    const otherClosed = await closeShift(there, { id: otherShift.id, counted: { cash: 0 } });
    expect(cashOf(otherClosed)).toMatchObject({ expected: 0, difference: 0 });
  });

  test("a top-up without a till that is undone at one hides no theft: 409 over the API, in both languages", async () => {
    const { ctx, worker, at, there, other, take, shift } = await twoTills();
    const token = await tokenOf(db, worker);
    const refused = async (id: string, locale: string) => {
      const sent = { method: "POST", token, params: { id }, body: {} };
      const headers = { ...(await proofOf(at.key, sent)), "accept-language": locale };
      return call(reverseCall, { ...sent, headers });
    };
    const without = await take(contextOf(db, worker), 25);
    expect(await refused(without, "en")).toMatchObject({ status: 409, code: "other_till" });
    const elsewhere = await take(there, 5);
    for (const locale of ["en", "ar"]) {
      const answer = await refused(elsewhere, locale);
      expect(answer).toMatchObject({ status: 409, code: "other_till" });
      expect(answer.message).toContain(other.till.name);
    }
    // QAR 25 are missing from the drawer, and its count shows it.
    const closed = await closeShift(ctx, { id: shift.id, counted: { cash: 7_500 } });
    expect(cashOf(closed)).toMatchObject({ expected: 10_000, difference: -2_500 });
  });

  test("an owner may: the report lists it, the expected cash falls, and the owners hear of it once", async () => {
    const { shop, at, there, without, take, other, shift, ctx } = await twoTills();
    const owner = contextAt(db, shop.owner, at);
    const given = [await take(there, 20), await take(there, 15), await take(without, 30)];
    const [own, card] = [await take(ctx, 10), await take(there, 40, "card")];
    const all = [...given, own, card];
    const undone = await Promise.all(
      all.flatMap((movementId) => [1, 2].map(() => reverse(owner, { movementId, reason: "Wrong" }))),
    );
    const ids = [...new Set(undone.map(({ movement }) => movement.id))];
    expect(ids).toHaveLength(5);
    for (let times = 0; times < 2; times++) await db.$transaction((tx) => handlePostedMovements(tx, ids));
    const { results } = await listNotices(contextOf(db, shop.owner), { limit: 25 });
    const heard = results.filter(({ kind }) => kind === "other_till_cash");
    expect(heard.map(({ amount, tillName }) => [amount, tillName]).sort()).toEqual(
      [
        [1_500, at.till.name],
        [2_000, at.till.name],
        [3_000, at.till.name],
      ].sort(),
    );
    const closed = await closeShift(ctx, { id: shift.id, counted: { cash: 3_500 } });
    expect(cashOf(closed)).toMatchObject({ expected: 3_500, difference: 0 });
    const listed = [
      { till: other.till.name, count: 2, dirhams: 3_500 },
      { till: null, count: 1, dirhams: 3_000 },
    ];
    expect(closed.report?.otherTills).toEqual(listed);
    expect((await getShift(contextOf(db, shop.owner), { id: shift.id })).report?.otherTills).toEqual(listed);
  });
});

test("a report that was frozen before has no such list", async () => {
  const { ctx, shift } = await twoTills();
  await closeShift(ctx, { id: shift.id, counted: { cash: 10_000 } });
  const { report } = await db.shift.findUniqueOrThrow({ where: { id: shift.id } });
  const { otherTills, ...before } = report as Record<string, unknown>;
  expect(otherTills).toEqual([]);
  expect(frozenReportSchema.parse(before)).toMatchObject({ otherTills: [], tenders: [{ expected: 10_000 }] });
});
