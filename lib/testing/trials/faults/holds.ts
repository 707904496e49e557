import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { createApiKey } from "@/lib/api-keys/api-keys";
import { verifyMerchant } from "@/lib/ledger/verify";
import { contextOf, makeCustomer, makeMerchant } from "@/lib/testing/factories";
import { random } from "@/lib/testing/ledger-world";
import { withDb } from "@/scripts/lib/with-db";
import type { Fault, Scene } from "./faults";
import type { Load } from "./load";

const IS_LONG = process.env.LONG === "1";
/** Tills of other software that share one card, orders in all, and milliseconds between two strikes. */
const [TILLS, ORDERS, APART] = IS_LONG ? [64, 10_000, 6_000] : [16, 200, 2_500];
/** Points that the card has at first: about four times what the orders take, and less than a card may have. */
const FUNDS = Math.round(1.5 * ORDERS);

type Body = { code?: string; data?: { _id?: string; eResult?: string; hold?: { _id: string } } };
type Told = { status: number } & Body;
type Call = { path: string; body: object; key?: string };

/** A till of other software: it repeats each call with its key until the answer is definite. */
type Till = (call: Call) => Promise<Told>;

const openTill =
  (load: Load, secret: string, nth: number): Till =>
  ({ path, body, key }) => {
    const headers = { authorization: `Bearer ${secret}`, ...(key && { "idempotency-key": key }) };
    return load.insist({ path: `/api/${path}`, body, headers }, nth, (status, told: Body) => {
      const isLater = told.code === "rate_limited" || told.code === "in_progress" || status >= 500;
      return isLater ? undefined : { status, ...told };
    });
  };

/** Sends a call and leaves before the answer comes. */
const forget = (till: Till, call: Call) => void till(call).catch(() => {});

type Place = { customerId: string; iBranchId: string };

/** One order of a till. Answers the points that it has taken from the card in the end (below 0: added), by what it was told. */
async function order(till: Till, place: Place, pick: (below: number) => number): Promise<number> {
  const key = randomUUID();
  const points = 1 + pick(3);
  const open: Call = { path: "holds", key, body: { ...place, iPoints: points, iSeconds: 900 } };
  const giveUp = (sIdempotencyKey: string): Call => ({ path: "reversals", body: { sIdempotencyKey } });
  const voids = (id: string): Call => ({ path: `holds/${id}/void`, key: `${key}-void`, body: {} });
  const topUp: Call = { path: "top-up-points", key, body: { ...place, sPoints: points } };
  const capture = (id: string, more: object = {}): Call => ({
    path: `holds/${id}/capture`,
    key: `${key}-capture`,
    body: more,
  });
  const withHold = async (use: (id: string) => Promise<number>): Promise<number> => {
    const id = (await till(open)).data?._id;
    return id ? use(id) : 0;
  };
  const inTurn = async (...calls: Call[]): Promise<number> => {
    for (const call of calls) await till(call);
    return 0;
  };
  const captures = async (call: Call, taken: number) => ((await till(call)).status === 200 ? taken : 0);

  switch (pick(8)) {
    case 0:
      return withHold((id) => captures(capture(id), points));
    case 1:
      return withHold(async (id) => {
        const part = await captures(capture(id, { iPoints: 1, bFinal: false }), 1);
        return part + (await inTurn(voids(id)));
      });
    case 2:
      return withHold((id) => inTurn(voids(id)));
    // The answer of the opening is lost: given up before, beside, or after it arrived.
    case 3:
      return inTurn(giveUp(key), open);
    case 4:
      forget(till, open);
      return inTurn(giveUp(key), open);
    // The answer of a capture is lost. If it never came, the hold is still open.
    case 5:
      return withHold(async (id) => {
        await Promise.all([till(capture(id)), till(giveUp(`${key}-capture`))]);
        return inTurn(voids(id));
      });
    case 6:
      return withHold((id) => inTurn(capture(id), giveUp(`${key}-capture`), voids(id)));
    // The answer of a top-up is lost.
    default: {
      if (pick(2) === 0) forget(till, topUp);
      else await till(topUp);
      const { code } = await till(giveUp(key));
      return code === "already_spent" ? -points : 0;
    }
  }
}

/** Kills a server, all of them, or Postgres, in turn. */
async function strike({ program }: Scene, nth: number): Promise<void> {
  if (nth % 3 === 2) {
    await program.database.kill();
    return program.startDatabase();
  }
  await program.killServer(nth % 2);
  await program.startServer(nth % 2);
}

/**
 * Tills of other software hold, capture, void and lose answers on one card, while servers and Postgres are killed. In the end
 * the card has what the tills were told, nothing is held, and the ledger verifies. CHECKs keep held below the balance at each commit.
 */
export const holdsFault: Fault = {
  name: "holds and lost answers of one card, with kills",
  patience: 60_000,
  async run(scene) {
    const { program, load } = scene;
    const seed = Number(process.env.SEED ?? randomInt(2 ** 31));
    // An API key is made by its operation, which reads the settings of this process.
    const [APP_URL = ""] = program.urls;
    Object.assign(process.env, {
      APP_ENV: "test",
      APP_URL,
      AUTH_SECRET: program.secret,
      DATABASE_URL: program.ownerUrl,
    });
    const { merchantId, secrets, place } = await withDb(program.ownerUrl, async (db) => {
      const shop = await makeMerchant(db, { redeemAllowance: 1_000_000_000 });
      const owner = contextOf(db, shop.owner);
      const scopes = ["topup", "redeem"] as const;
      const keys = await Promise.all(
        ["Till", "Web shop"].map((name) =>
          createApiKey(owner, { name, scopes: [...scopes], maxPointsDay: ORDERS * 16 }),
        ),
      );
      const customer = await makeCustomer(db, shop);
      const place = { customerId: customer.publicId, iBranchId: shop.branch.id };
      return { merchantId: shop.merchant.id, secrets: keys.map(({ secret }) => secret), place };
    });
    const tills = Array.from({ length: TILLS }, (_, nth) =>
      openTill(load, secrets[nth % secrets.length] ?? "", nth),
    );
    const [first] = tills;
    for (let left = FUNDS; first && left > 0; left -= 5_000) {
      const body = { ...place, sPoints: Math.min(left, 5_000) };
      const funded = await first({ path: "top-up-points", key: randomUUID(), body });
      if (funded.status !== 200) throw new Error(`the card was not funded: ${funded.code}`);
    }
    let [begun, taken, strikes, isOver] = [0, 0, 0, false];
    const work = async (till: Till, nth: number) => {
      const pick = random(seed + nth).below;
      while (begun++ < ORDERS) {
        // Not in one expression: other tills end their orders meanwhile.
        const points = await order(till, place, pick);
        taken += points;
      }
    };
    const kills = async () => {
      while (!isOver) {
        await pause(APART);
        if (!isOver) await strike(scene, strikes++);
      }
    };
    await load.run(1, async () => {
      await Promise.all([
        Promise.all(tills.map(work)).finally(() => {
          isOver = true;
        }),
        kills(),
      ]);
    });
    return withDb(program.ownerUrl, async (db) => {
      const card = await db.customer.findUniqueOrThrow({
        where: { publicId: place.customerId },
        select: { held: true, balance: true },
      });
      expect.soft(card, `seed ${seed}`).toEqual({ held: 0, balance: FUNDS - taken });
      expect.soft((await verifyMerchant(db, merchantId)).firstWrong, `seed ${seed}`).toBeNull();
      return `seed ${seed}; ${TILLS} tills, ${ORDERS} orders, ${strikes} kills, ${taken} points taken`;
    });
  },
};
