import type pg from "pg";
import type { Db } from "@/lib/db/client";
import type { User } from "@/lib/db/generated/client";
import type { Posting } from "@/lib/ledger/batch";
import { apiKeyContext, makeAdmin, makeBranch, makeCustomer, makeMerchant, makeWorker } from "./factories";
import { LedgerModel } from "./ledger-model";
import type { ModelCard, ModelKey, ModelMove, ModelShop, Staff } from "./ledger-model-types";

/** mulberry32: the same rows for the same seed. */
export function random(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const below = (most: number) => Math.floor(next() * most);
  const chance = (share: number) => next() < share;
  function pick<T>(list: readonly T[]): T {
    return list[below(list.length)] as T;
  }
  return { below, chance, pick };
}

export type Random = ReturnType<typeof random>;

/** A ledger in the database and the same in the model. */
export type LedgerWorld = {
  db: Db;
  client: pg.Client;
  model: LedgerModel;
  shops: ModelShop[];
  owners: Staff[];
  workers: Staff[];
  admin: Staff;
  cards: ModelCard[];
  apiKeys: ModelKey[];
  /** Rows carry their moment, minutes to days apart; else the database's clock decides. */
  timed: boolean;
  clock: number;
  keys: { key: string; row: Posting }[];
  posted: ModelMove[];
};

/** A new card of the shop, in the database and in the model. */
export async function makeModelCard(
  db: Db,
  model: LedgerModel,
  shop: ModelShop,
  given: { email?: string } = {},
): Promise<ModelCard> {
  const made = await makeCustomer(db, { merchant: shop }, given);
  const card: ModelCard = {
    id: made.id,
    publicId: made.publicId,
    shop,
    status: "active",
    email: made.email ?? "",
    phone: made.phone ?? "",
    paid: 0,
    heldPaid: 0,
    holds: [],
    lots: [],
    moves: [],
    last: 0,
    unprovedDay: -1,
    unproved: 0,
    proofs: new Set(),
  };
  for (const id of [card.id, card.publicId]) model.cards.set(id, card);
  return card;
}

/** Two shops, each with an owner, two workers, two branches and twelve cards. */
export async function makeLedgerWorld(db: Db, client: pg.Client, timed: boolean): Promise<LedgerWorld> {
  const model = new LedgerModel();
  const shops: ModelShop[] = [];
  const [owners, workers, cards]: [Staff[], Staff[], ModelCard[]] = [[], [], []];
  const apiKeys: ModelKey[] = [];
  const known = (user: Pick<User, "id" | "merchantId" | "email" | "phone">, worker: boolean): Staff => {
    const staff = {
      id: user.id,
      merchantId: user.merchantId,
      worker,
      email: user.email,
      phone: user.phone ?? "",
      former: new Set<string>(),
    };
    model.staff.set(user.id, staff);
    return staff;
  };
  for (let n = 0; n < 2; n++) {
    const fixture = await makeMerchant(db, { redeemAllowance: 400 });
    const rules = { rate: 100, min: 1, max: 5000, maxBalance: 20_000, undo: 15, cap: null, own: false };
    const shop: ModelShop = {
      id: fixture.merchant.id,
      approved: true,
      suspended: false,
      allowance: 400,
      paidFirst: false,
      tillRequired: false,
      refundDays: 0,
      workerAllowance: 500,
      defaultCap: null,
      rules,
    };
    shops.push(shop);
    owners.push(known(fixture.owner, false));
    for (const { id } of [fixture.branch, await makeBranch(db, fixture)])
      model.branches.set(id, { id, shop, archived: false });
    for (let till = 0; till < 2; till++) {
      const name = `Till ${till}`;
      const { id } = await db.till.create({
        data: { merchantId: fixture.merchant.id, branchId: fixture.branch.id, name },
      });
      model.tills.set(id, { id, name, shop, retired: false });
    }
    for (const [most, mostInDay, staffCards, limited] of [
      [100, 700, false, false],
      [null, 2_000, true, true],
    ] as const) {
      const branch = limited ? fixture.branch.id : null;
      const maxHoldSeconds = limited ? 7_200 : null;
      const data = {
        branchId: branch,
        maxPointsOne: most,
        maxPointsDay: mostInDay,
        maxHoldSeconds,
        staffCards,
      };
      const { keyId: id } = (await apiKeyContext(db, fixture, data)).actor;
      const key = { id, shop, branch, most, mostInDay, staffCards, longest: maxHoldSeconds, revoked: false };
      apiKeys.push(key);
      model.apiKeys.set(id, key);
    }
    for (let worker = 0; worker < 2; worker++) workers.push(known(await makeWorker(db, fixture), true));
    for (let card = 0; card < 12; card++) {
      // One of them is a worker's own.
      const mine = card === 0 ? { email: workers.at(-1)?.email } : {};
      cards.push(await makeModelCard(db, model, shop, mine));
    }
  }
  const admin = known(await makeAdmin(db), false);
  const clock = Date.now() - (timed ? 2 * 365 * 86_400_000 : 0);
  return {
    db,
    client,
    model,
    shops,
    owners,
    workers,
    admin,
    cards,
    apiKeys,
    timed,
    clock,
    keys: [],
    posted: [],
  };
}
