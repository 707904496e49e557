import { randomUUID } from "node:crypto";
import { tokenOf } from "@/lib/testing/calls";
import { makeCustomer, makeMerchant, uniqueEmail } from "@/lib/testing/factories";
import { move } from "@/lib/testing/movements";
import type { Attack, Tally } from "./tally";
import type { Target } from "./target";

const isLong = process.env.LONG === "1";

const parallel = <T>(count: number, one: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => one(n)));

/** Many at once: guesses of a code, a balance spent twice, an undo twice, one key twice. */
async function races(target: Target, tally: Tally): Promise<void> {
  const { db } = target;
  for (let round = 0; round < (isLong ? 10 : 1); round += 1) {
    const email = uniqueEmail();
    const channel = { sType: "EMAIL", sAuth: "REGISTER", sLogin: email };
    await target.api("post /auth/send-otp", { body: channel });
    const code = await target.code(email);
    const guess = (sCode: string) => target.api("post /auth/verify-otp", { body: { ...channel, sCode } });
    await parallel(40, (n) => guess(String((Number(code) + 1 + n) % 1_000_000).padStart(6, "0")));
    const row = await db.code.findFirstOrThrow({ where: { email } });
    tally.try(row.wrong === 5, `${row.wrong} of 40 guesses at once were counted, not 5`);
    tally.status((await guess(code)).status, [400, 429], "the right code after five wrong ones");

    const shop = await makeMerchant(db, { redeemAllowance: 20_000, unprovedWorkerDaily: 20_000 });
    const token = await tokenOf(db, shop.owner);
    const card = await makeCustomer(db, shop);
    const topUp = await move(db, shop, card, { points: 100 });
    const at = { customerId: card.id, iBranchId: shop.branch.id };
    const spent = await parallel(20, () =>
      target.api("post /redeem-points", { token, body: { ...at, sPoints: 60 } }),
    );
    const won = spent.filter(({ status }) => status === 200);
    tally.try(won.length === 1, `60 of 100 points were spent ${won.length} times`);
    const id = (won[0]?.body?.data as { _id: string } | undefined)?._id ?? "";
    const undo = () =>
      target.api("post /transactions/{id}/reverse", { token, params: { id }, body: { sReason: "x" } });
    await parallel(15, undo);
    // A repeated undo is answered the first one's result.
    const undone = (await db.movement.findMany({ where: { customerId: card.id } })).length;
    tally.try(undone === 3, `one redemption was undone ${undone - 2} times`);
    const key = { "idempotency-key": randomUUID() };
    const same = await parallel(15, () =>
      target.api("post /top-up-points", { token, headers: key, body: { ...at, sPoints: 7 } }),
    );
    const ids = new Set(same.map(({ body }) => (body?.data as { _id: string } | undefined)?._id));
    tally.try(
      ids.size === 1 && same.every(({ status }) => status === 200),
      `one key posted ${ids.size} movements`,
    );
    const another = await target.api("post /top-up-points", {
      token,
      headers: key,
      body: { ...at, sPoints: 8 },
    });
    tally.try(another.status >= 400, "one key with another amount");
    const { balance } = await db.customer.findUniqueOrThrow({ where: { id: card.id } });
    tally.try(balance === 107, `the balance is ${balance}, not 107`);
    await parallel(10, () =>
      target.api("post /transactions/{id}/reverse", {
        token,
        params: { id: topUp.id },
        body: { sReason: "x" },
      }),
    );
    const left = (await db.customer.findUniqueOrThrow({ where: { id: card.id } })).balance;
    tally.try(left === 7, `after ten undos of one top-up the balance is ${left}, not 7`);
  }
  const { owner } = await makeMerchant(db);
  await target.api("post /auth/forgot-password", { body: { sEmail: owner.email } });
  await target.runJobs();
  const sToken =
    /\/reset-password\/([\w-]+)/.exec(await target.mail(owner.email, /reset-password/))?.[1] ?? "";
  const resets = await parallel(6, (n) =>
    target.api("post /auth/reset-password", { body: { sToken, sPassword: `a fresh secret ${n}` } }),
  );
  tally.try(resets.filter(({ status }) => status === 200).length === 1, "a reset link works more than once");
}

export const raceAttacks = (target: Target): Attack[] => [
  {
    name: "races: guesses, spends, undos, keys, links",
    needs: "handlers",
    run: (tally) => races(target, tally),
  },
];
