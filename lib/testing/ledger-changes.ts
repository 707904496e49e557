import type { Posting } from "@/lib/ledger/batch";
import {
  DAY,
  endsFirst,
  type Judged,
  type LotMove,
  type ModelCard,
  type ModelChange,
  type ModelMove,
  type Staff,
  standing,
  sum,
} from "./ledger-model-types";

/** A debit of so many points, no more than there are: of which pocket and which lots. */
export function draw(card: ModelCard, points: number): ModelChange {
  let open = points;
  let paid = card.shop.paidFirst ? Math.min(open, card.paid - card.heldPaid) : 0;
  open -= paid;
  const lots: LotMove[] = [];
  for (const lot of [...card.lots].sort(endsFirst)) {
    const part = Math.min(open, lot.left - lot.held);
    if (part > 0) lots.push({ lot, points: -part });
    open -= part;
  }
  paid += open;
  return { paid: -paid, lots };
}

/** A part of a redemption given back, or why not. */
export function modelRefund(
  row: Posting,
  original: ModelMove,
  moment: number,
  staff: Staff | undefined,
): Judged {
  const { shop } = original.card;
  if (original.type !== "REDEEM") return { outcome: "not_refundable" };
  if (original.reversedBy) return { outcome: "already_reversed" };
  if (staff?.worker && shop.refundDays === 0) return { outcome: "refund_forbidden" };
  if (staff?.worker && moment > original.at + shop.refundDays * DAY) return { outcome: "refund_expired" };
  if (original.rate > shop.rules.rate) return { outcome: "value_lowered" };
  if (row.points !== undefined && row.points <= 0) return { outcome: "below_minimum", limit: 1 };
  const given = standing(original.refunds);
  const left = -original.paid - original.bonus - sum(given.map((move) => move.paid + move.bonus));
  if (left === 0 || (row.points ?? left) > left) return { outcome: "refund_exceeded", limit: left };
  let open = row.points ?? left;
  const paid = Math.min(open, -original.paid - sum(given.map((move) => move.paid)));
  open -= paid;
  const lots: LotMove[] = [];
  for (const taken of [...original.lots].sort((a, b) => endsFirst(b.lot, a.lot))) {
    const back = given.flatMap((move) => move.lots).filter(({ lot }) => lot === taken.lot);
    const part = Math.min(open, -taken.points - sum(back.map((one) => one.points)));
    if (part > 0) lots.push({ lot: taken.lot, points: part });
    open -= part;
  }
  return { paid, lots };
}

/** The opposite of a movement, or why not. */
export function reversal(
  row: Posting,
  original: ModelMove,
  moment: number,
  staff: Staff | undefined,
): Judged {
  const { card } = original;
  const { rules } = card.shop;
  const staffed = row.actorType === undefined || row.actorType === "user" || row.actorType === "api_key";
  if (original.type === "REVERSAL" || original.type === "EXPIRY" || (staffed && !original.branch)) {
    return { outcome: "not_reversible" };
  }
  if (row.scope === "own" && moment > original.at + rules.undo * 60_000) return { outcome: "undo_expired" };
  const later = card.moves.some((move) => move.seq > original.seq && move.type !== "EXPIRY");
  if (row.scope === "own" && later) return { outcome: "not_latest" };
  if (row.till && staff?.worker && original.cash && original.till?.id !== row.till) {
    return { outcome: "other_till", till: original.till?.name ?? null };
  }
  if (original.type === "REDEEM" && standing(original.refunds).length > 0) return { outcome: "refunded" };
  if (original.paid + original.bonus < 0 && original.rate > rules.rate) return { outcome: "value_lowered" };
  const spent = original.lots.some(({ lot, points }) => lot.left - points < (points > 0 ? lot.held : 0));
  if (spent || card.paid - original.paid < (original.paid > 0 ? card.heldPaid : 0)) {
    return { outcome: "already_spent" };
  }
  return { paid: -original.paid, lots: original.lots.map(({ lot, points }) => ({ lot, points: -points })) };
}
