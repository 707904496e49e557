import { expect, test } from "vitest";
import { redeem, refund, reverse, topUp } from "@/lib/ledger/move-points";
import { testDb } from "@/lib/testing/database";
import { contextOf } from "@/lib/testing/factories";
import { random } from "@/lib/testing/ledger-world";
import { cashOf, shopWithTill } from "@/lib/testing/shop-with-till";
import { contextAt, makeTill } from "@/lib/testing/tills";
import { closeShift, moveDrawer, openShift } from "./run-shifts";

const db = await testDb();

const SEQUENCES = Number(process.env.SEQUENCES ?? (process.env.LONG ? 200 : 12));

test("any sequence on two tills keeps expected = float + movements, by tender", {
  timeout: 20_000 * SEQUENCES,
}, async () => {
  for (let seed = 1; seed <= SEQUENCES; seed++) {
    const { below, chance, pick } = random(seed);
    const { shop, worker, at, place } = await shopWithTill(db);
    const tills = [at, await makeTill(db, shop)].map((till) => ({
      ctx: contextAt(db, worker, till),
      id: till.till.id,
      shift: null as string | null,
      /** Expected by tender since the last close; the float and the moves are in cash. */
      sums: new Map<string, number>(),
      ever: false,
    }));
    const posted: { id: string; points: number; tender: string }[] = [];
    const redeemed: string[] = [];
    let reports = 0;
    const note = (till: (typeof tills)[number], tender: string, dirhams: number) => {
      if (till.ever) till.sums.set(tender, (till.sums.get(tender) ?? 0) + dirhams);
    };
    for (let step = 0; step < 40; step++) {
      const till = pick(tills);
      const what = below(9);
      if (what === 0 && !till.shift) {
        const float = below(50_000);
        till.shift = (await openShift(till.ctx, { tillId: till.id, float })).id;
        till.ever = true;
        note(till, "cash", float);
      } else if (what === 1 && till.shift) {
        const cash = below(100_000);
        const report = await closeShift(till.ctx, { id: till.shift, counted: { cash } });
        reports += 1;
        expect(report.number, `seed ${seed}`).toBe(reports);
        for (const { tender, expected } of report.report?.tenders ?? []) {
          expect(expected, `seed ${seed} ${tender}`).toBe(till.sums.get(tender) ?? 0);
        }
        const shown = report.report?.tenders.map(({ tender }) => tender) ?? [];
        for (const [tender, sum] of till.sums) if (sum !== 0) expect(shown).toContain(tender);
        expect(cashOf(report).difference).toBe(cash - (till.sums.get("cash") ?? 0));
        till.shift = null;
        till.sums = new Map();
      } else if (what === 2 && till.shift) {
        const kind = chance(0.5) ? "pay_in" : "pay_out";
        const amount = 1 + below(5_000);
        await moveDrawer(till.ctx, { id: till.shift, kind, amount, reason: "Change" });
        note(till, "cash", kind === "pay_in" ? amount : -amount);
      } else if (what === 3 && posted.length > 0) {
        const gone = posted.splice(below(posted.length), 1)[0];
        const owner = contextOf(db, shop.owner, { till: till.ctx.till });
        const undone = await reverse(owner, { movementId: gone?.id ?? "", reason: "Wrong" }).catch(
          () => null,
        );
        if (undone && gone) note(till, gone.tender, -100 * gone.points);
      } else if (what === 4) {
        const made = await redeem(till.ctx, { ...place, points: 1 + below(20) }).catch(() => null);
        if (made) redeemed.push(made.movement.id);
      } else if (what === 5 && redeemed.length > 0) {
        await refund(till.ctx, { movementId: pick(redeemed), points: 1, reason: "Returned" }).catch(
          () => null,
        );
      } else if (what > 5) {
        const tender = pick(["cash", "cash", "card", "bank", "other"] as const);
        const points = 1 + below(200);
        const { movement } = await topUp(till.ctx, { ...place, points, tender });
        posted.push({ id: movement.id, points, tender });
        note(till, tender, 100 * points);
      }
    }
  }
});
