import { randomUUID } from "node:crypto";
import type { Posting, PostingRow } from "@/lib/ledger/batch";
import type { ModelCard, Staff } from "./ledger-model-types";
import type { LedgerWorld, Random } from "./ledger-world";

/** A random request: of any type, mostly good, by staff or an API key of the card's shop; now and then a repeated one. */
export function someRow(world: LedgerWorld, dice: Random): Posting {
  const { chance, pick } = dice;
  if (chance(0.06) && world.keys.length > 0) {
    const { row } = pick(world.keys.slice(-30));
    // The same request again, or another under its key.
    return chance(0.7) ? row : { ...row, hash: randomUUID() };
  }
  if (chance(0.14)) return holdRow(world, dice);
  const row = newRow(world, dice);
  const isUser = row.actorType === undefined && row.type !== "IMPORT" && row.type !== "ADJUSTMENT";
  return isUser && chance(0.15) ? byKey(world, dice, row) : row;
}

/** A call of a hold: opens one, or names one of the last, mostly by an API key of its shop. */
function holdRow(world: LedgerWorld, dice: Random): Posting {
  const { below, chance, pick } = dice;
  const open = [...world.model.holds.values()].slice(-25);
  const hold = open.length > 0 && chance(0.6) ? pick(open) : undefined;
  const card = hold && chance(0.97) ? hold.card : pick(world.cards);
  const shop = world.shops.indexOf(card.shop);
  const proof = chance(0.3) ? ({ proof: "live_code", proofRef: `live:${below(4000)}` } as const) : {};
  const branches = [...world.model.branches.values()].filter((branch) => branch.shop === card.shop);
  const common = {
    type: "REDEEM" as const,
    customer: card.id,
    branch: hold?.branch ?? pick(branches).id,
    scope: "merchant" as const,
    scopeMerchant: card.shop.id,
    key: randomUUID(),
    hash: randomUUID(),
  };
  // By the clock of the database none lapses: the model has another clock.
  const seconds = pick([world.timed ? 30 : 600, 600, 900, 901, 7_200]);
  const call: Partial<PostingRow> = hold
    ? {
        hold: hold.id ?? randomUUID(),
        holdCall: pick(["capture", "capture", "capture", "void", "undo", "release", "extend"] as const),
        points: chance(0.4) ? undefined : 1 + below(40),
        final: chance(0.4) ? false : undefined,
        seconds,
        ...proof,
      }
    : { holdCall: "open", points: 1 + below(90), upTo: chance(0.3) ? true : undefined, seconds, ...proof };
  const asked = { ...common, ...call };
  const byUser = hold ? (hold.key ? chance(0.15) : chance(0.85)) : chance(0.3);
  if (byUser) {
    const people = [...world.workers.slice(shop * 2, shop * 2 + 2), world.owners[shop] as Staff];
    return { ...asked, actor: pick(people).id };
  }
  const keys = world.apiKeys.filter((one) => one.shop === card.shop || chance(0.02));
  return { ...asked, actorType: "api_key", apiKey: pick(keys).id };
}

/** The same request by an API key, mostly of the merchant that it names. */
function byKey(world: LedgerWorld, { chance, pick }: Random, asked: Posting): Posting {
  const shop = asked.scopeMerchant ?? pick(world.shops).id;
  const key = pick(world.apiKeys.filter((one) => one.shop.id === shop || chance(0.03)));
  return {
    ...asked,
    ...{ actorType: "api_key", apiKey: key.id, actor: undefined, till: undefined },
    ...{ scope: "merchant", scopeMerchant: shop },
  };
}

function newRow(world: LedgerWorld, dice: Random): Posting {
  const { below, chance, pick } = dice;
  const card = chance(0.25) ? (world.cards[1] as ModelCard) : pick(world.cards);
  const shop = world.shops.indexOf(card.shop);
  const [worker, owner] = [pick(world.workers.slice(shop * 2, shop * 2 + 2)), world.owners[shop] as Staff];
  const branches = [...world.model.branches.values()].filter(
    (branch) => branch.shop === card.shop || chance(0.02),
  );
  const amount = chance(0.9) ? 1 + below(120) : pick([0, 1, 500, 4999, 5000, 5001, 19_000]);
  const row: PostingRow = {
    type: "TOP_UP",
    customer: chance(0.99) ? (chance(0.2) ? card.publicId : card.id) : randomUUID(),
    branch: pick(branches).id,
    scope: "merchant",
    scopeMerchant: chance(0.99) ? card.shop.id : pick(world.shops).id,
    namedMerchant: chance(0.02) ? pick(world.shops).id : undefined,
    points: amount,
    key: randomUUID(),
    hash: randomUUID(),
    till: chance(0.3)
      ? pick([...world.model.tills.values()].filter((till) => till.shop === card.shop || chance(0.05))).id
      : undefined,
    late: chance(0.2) ? true : undefined,
    occurred: chance(0.05) ? new Date(world.clock - 60_000) : undefined,
  };
  const by = chance(0.7) ? worker : chance(0.8) ? owner : world.admin;
  const asUser = {
    ...row,
    actor: by.id,
    ...(by === world.admin ? { scope: "any" as const, scopeMerchant: null } : {}),
  };
  const kind = below(100);
  if (kind < 38)
    return {
      ...asUser,
      tender: chance(0.5) ? pick(["cash", "card", "online"]) : undefined,
      saleRef: chance(0.2) ? "Bill 7" : undefined,
    };
  if (kind < 66) {
    const proof = chance(0.3) ? ({ proof: "live_code", proofRef: `live:${below(4000)}` } as const) : {};
    return { ...asUser, type: "REDEEM", ...(chance(0.01) ? { proof: "invalid" as const } : proof) };
  }
  if (kind < 74) {
    const inTime = new Date(world.clock + (world.timed ? pick([0, 1, 3, 20]) : 400) * 86_400_000);
    return {
      ...asUser,
      actor: owner.id,
      type: "BONUS",
      reason: chance(0.5) ? "A gift" : undefined,
      endsAt: chance(0.7) ? inTime : undefined,
    };
  }
  const recent = world.posted.slice(chance(0.6) ? -15 : -300);
  const original = recent.length > 0 ? pick(recent)?.id : undefined;
  if (kind < 86) {
    const own = by === worker && chance(0.8);
    return {
      ...asUser,
      type: "REVERSAL",
      customer: undefined,
      branch: undefined,
      points: undefined,
      reverses: original ?? randomUUID(),
      reason: chance(0.5) ? "Wrong" : undefined,
      ...(own ? { scope: "own" as const } : {}),
    };
  }
  if (kind < 96) {
    const redeemed = recent.filter((move) => move.type === "REDEEM");
    const refunds = (redeemed.length > 0 && chance(0.95) ? pick(redeemed).id : original) ?? randomUUID();
    return {
      ...asUser,
      type: "REFUND",
      customer: undefined,
      branch: undefined,
      refunds,
      points: chance(0.3) ? undefined : 1 + below(40),
      reason: "Returned",
    };
  }
  if (kind < 98)
    return { ...asUser, type: chance(0.5) ? "IMPORT" : "ADJUSTMENT", points: chance(0.5) ? amount : -amount };
  const nobody = {
    ...row,
    branch: chance(0.9) ? undefined : row.branch,
    type: "ADJUSTMENT" as const,
    points: -amount,
  };
  return { ...nobody, actorType: chance(0.5) ? "card_holder" : "system" };
}
