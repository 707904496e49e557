import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { testDb } from "@/lib/testing/database";
import { contextOf, makeCustomer, makeMerchant } from "@/lib/testing/factories";
import { move } from "@/lib/testing/movements";
import { type Outcome, type Posting, postOver } from "./batch";
import { reverse, topUp } from "./move-points";

const db = await testDb();
const clients = [0, 1].map(() => new pg.Client({ connectionString: process.env.DATABASE_URL }));
await Promise.all(clients.map((client) => client.connect()));
afterAll(() => Promise.all(clients.map((client) => client.end())));
const [first, second] = clients as [pg.Client, pg.Client];

/** A movement that is reversed already, so that reversing it again answers the reversal that stands; and a top-up. */
async function twoRequests() {
  const shop = await makeMerchant(db);
  const [one, other] = [await makeCustomer(db, shop), await makeCustomer(db, shop)];
  const original = await move(db, shop, one, { points: 40 });
  const reversal = await move(db, shop, one, { reverses: original.id });
  const key = randomUUID();
  const scope = { scope: "merchant", scopeMerchant: shop.merchant.id } as const;
  const asked = { ...scope, actor: shop.owner.id, branch: shop.branch.id };
  const answered: Posting = { ...asked, type: "REVERSAL", reverses: original.id, key, hash: "undo" };
  const posting: Posting = { ...asked, type: "TOP_UP", customer: other.id, points: 5, key, hash: "top-up" };
  return { shop, one, other, original, reversal, key, asked, answered, posting };
}

/** Posts `early` in a transaction that is still open when `late` is sent; answers the outcome of `late`. */
async function overlapping(early: Posting[], late: Posting[]): Promise<Outcome[]> {
  await first.query("begin");
  await postOver(first, early, { skip: false });
  const answer = postOver(second, late, { skip: false });
  await first.query("commit");
  return await answer;
}

test("a key answered by a standing reversal is not posted under, whichever comes first", async () => {
  for (const size of [1, 3]) {
    const a = await twoRequests();
    const more = async () =>
      Promise.all(
        Array.from({ length: size - 1 }, async (): Promise<Posting> => {
          const customer = (await makeCustomer(db, a.shop)).id;
          return { ...a.asked, type: "TOP_UP", customer, points: 1, key: randomUUID(), hash: "x" };
        }),
      );
    const [late] = await overlapping([a.posting, ...(await more())], [a.answered, ...(await more())]);
    expect(late).toMatchObject({ outcome: "key_reused" });
    const b = await twoRequests();
    const [refused] = await overlapping([b.answered], [b.posting]);
    expect(refused).toMatchObject({ outcome: "key_reused" });
    expect(await db.movement.count({ where: { customerId: b.other.id } })).toBe(0);
  }
});

test("two reversals that stand are not both the answer to one key", async () => {
  const { shop, other, key, asked, answered, reversal } = await twoRequests();
  const original = await move(db, shop, other, { points: 7 });
  await move(db, shop, other, { reverses: original.id });
  const again: Posting = { ...asked, type: "REVERSAL", reverses: original.id, key, hash: "another" };
  const [late] = await overlapping([answered], [again]);
  expect(late).toMatchObject({ outcome: "key_reused" });
  const [same] = await postOver(second, [answered], { skip: false });
  expect(same).toMatchObject({ outcome: "replayed", movement: { id: reversal.id } });
});

test("of many requests with one key exactly one kind is answered", async () => {
  for (let round = 0; round < 10; round++) {
    const { shop, other, original, key: idempotencyKey } = await twoRequests();
    const ctx = contextOf(db, shop.owner);
    const at = { customerId: other.id, branchId: shop.branch.id, idempotencyKey };
    const undone = [1, 2].map(() => reverse(ctx, { movementId: original.id, reason: "x", idempotencyKey }));
    const posted = [1, 2].map(() => topUp(ctx, { ...at, points: 5 }));
    const good = (await Promise.allSettled([...undone, ...posted])).map(({ status }) => status);
    expect([
      ["fulfilled", "fulfilled", "rejected", "rejected"],
      ["rejected", "rejected", "fulfilled", "fulfilled"],
    ]).toContainEqual(good);
  }
});

test("a request is the same under the hash that the version before kept and sent", async () => {
  const shop = await makeMerchant(db);
  const customer = await makeCustomer(db, shop);
  const short = "AAECAwQFBgcICQoL";
  const long = `${Buffer.from(short, "base64").toString("hex")}${"f".repeat(40)}`;
  const send = async (key: string, hash: string) => {
    const row = {
      ...{ idx: 0, type: "TOP_UP", customer: customer.id, branch: shop.branch.id, points: 1, key, hash },
      ...{ actor: shop.owner.id, scope: "merchant", scope_merchant: shop.merchant.id },
    };
    const [answer] = await db.$queryRaw<{ outcome: string }[]>`
      select outcome from post_movements(${JSON.stringify([row])}::jsonb, true)`;
    return answer?.outcome;
  };
  const [kept, sent] = [randomUUID(), randomUUID()];
  expect([await send(kept, long), await send(kept, short)]).toEqual(["posted", "replayed"]);
  expect([await send(sent, short), await send(sent, long)]).toEqual(["posted", "replayed"]);
  expect(await send(kept, `${"0".repeat(64)}`)).toBe("key_reused");
  expect(await send(sent, "AAECAwQFBgcICQoM")).toBe("key_reused");
});
