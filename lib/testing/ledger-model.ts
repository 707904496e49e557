import type { MovementType } from "@/lib/domain/movements";
import type { Posting } from "@/lib/ledger/batch";

const DAY = 86_400_000;
const WEEK = 7 * DAY;
/** The number of a day in Qatar since 1970, from a time in milliseconds. */
const dayOf = (at: number): number => Math.floor((at + 3 * 3_600_000) / DAY);

type Rules = {
  rate: number;
  min: number;
  max: number;
  maxBalance: number;
  undo: number;
  cap: number | null;
};
export type Shop = {
  id: string;
  approved: boolean;
  suspended: boolean;
  allowance: number;
  paidFirst: boolean;
  refundDays: number;
  rules: Rules;
};
export type Branch = { id: string; shop: Shop; archived: boolean };
export type Staff = { id: string; worker: boolean; email: string; phone: string };
type Lot = {
  move: Move;
  points: number;
  left: number;
  ends: number | null;
  extended: boolean;
};
export type Card = {
  id: string;
  publicId: string;
  shop: Shop;
  status: "active" | "blocked" | "frozen";
  email: string;
  phone: string;
  paid: number;
  lots: Lot[];
  moves: Move[];
  last: number;
  unprovedDay: number;
  unproved: number;
  proofs: Set<string>;
};
type LotMove = { lot: Lot; points: number };
export type Move = {
  id: string | null;
  card: Card;
  type: MovementType;
  paid: number;
  bonus: number;
  balance: number;
  bonusAfter: number;
  rate: number;
  balanceRate: number;
  seq: number;
  at: number;
  branch: string | null;
  staff: string | null;
  lots: LotMove[];
  reversedBy: Move | null;
  refunds: Move[];
  unproved: boolean;
};
export type Expected =
  | { outcome: "posted" | "replayed"; move: Move }
  | { outcome: string; limit: number | null; balance: number | null };

type Change = { paid: number; lots: LotMove[] };
type Judged = Change | { outcome: string; limit?: number };
type Key = { hash: string; who: string; move: Move };

const bonusOf = (card: Card): number => card.lots.reduce((sum, lot) => sum + lot.left, 0);
export const balanceOf = (card: Card): number => card.paid + bonusOf(card);
const endsFirst = (a: Lot, b: Lot): number =>
  (a.ends ?? Number.POSITIVE_INFINITY) - (b.ends ?? Number.POSITIVE_INFINITY) || a.move.seq - b.move.seq;
const standing = (moves: Move[]): Move[] => moves.filter((move) => !move.reversedBy);
const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
const sumOfLots = (change: Change): number => sum(change.lots.map(({ points }) => points));

/** The specification's ledger in memory, one row at a time. */
export class LedgerModel {
  cards = new Map<string, Card>();
  branches = new Map<string, Branch>();
  staff = new Map<string, Staff>();
  /** Movements by the id that the database answered. */
  moves = new Map<string, Move>();
  private keys = new Map<string, Key>();
  private toppedUp = new Map<string, number>();

  cardOf(row: Posting): Card | undefined {
    const original = this.originalOf(row);
    if (row.type === "REVERSAL" || row.type === "REFUND") return original?.card;
    return this.cards.get(row.customer ?? "");
  }

  originalOf(row: Posting): Move | undefined {
    return this.moves.get((row.type === "REFUND" ? row.refunds : row.reverses) ?? "");
  }

  post(row: Posting, now: number): Expected {
    const card = this.cardOf(row);
    const refuse = (
      outcome: string,
      limit: number | null = null,
      balance: number | null = null,
    ): Expected => ({
      outcome,
      limit,
      balance,
    });
    const who = row.apiKey ?? row.actorType ?? "user";
    const keyed = `${row.actor ?? card?.id} ${row.key}`;
    const known = this.keys.get(keyed);
    if (known) {
      if (known.hash !== row.hash || known.who !== who) return refuse("key_reused");
      return { outcome: "replayed", move: known.move };
    }
    const unreached = this.reach(row, card);
    if (unreached || !card) return refuse(unreached ?? "not_found");
    const original = this.originalOf(row);
    if (row.type === "REVERSAL" && original?.reversedBy) {
      if (row.actor) this.keys.set(keyed, { hash: row.hash, who, move: original.reversedBy });
      return { outcome: "replayed", move: original.reversedBy };
    }
    const { shop } = card;
    if (row.type !== "ADJUSTMENT") {
      if (!shop.approved || shop.suspended) return refuse("merchant_unavailable");
      if (card.status !== "active") return refuse(`customer_${card.status}`);
    }
    const moment = Math.max(now, card.last);
    if (!shop.suspended) this.expire(card, moment);
    const held = balanceOf(card);
    const judged = this.judge(row, card, original, moment);
    if ("outcome" in judged) return refuse(judged.outcome, judged.limit ?? null, held);
    if (row.type === "REDEEM" && row.proof && row.proof !== "none") {
      if (card.proofs.has(row.proofRef ?? "")) return refuse("proof_invalid", null, held);
      card.proofs.add(row.proofRef ?? "");
    }
    const move = this.apply(row, card, original, judged, moment);
    this.keys.set(keyed, { hash: row.hash, who, move });
    return { outcome: "posted", move };
  }

  private reach(row: Posting, card: Card | undefined): string | null {
    const gives = row.type === "REVERSAL" || row.type === "REFUND";
    const original = this.originalOf(row);
    if (!card || (gives && !original)) return "not_found";
    if (!row.actorType && !this.staff.has(row.actor)) return "not_found";
    if (row.scope !== "any" && row.scopeMerchant !== card.shop.id) return "not_found";
    if (row.scope === "own" && (!row.actor || original?.staff !== row.actor)) return "not_found";
    if (row.namedMerchant && row.namedMerchant !== card.shop.id) return "branch_mismatch";
    const branchId = (gives ? original?.branch : null) ?? row.branch ?? null;
    const nowhere = row.actorType === "card_holder" || row.actorType === "system" || row.type === "REVERSAL";
    if (row.actorType === "card_holder" && branchId) return "branch_mismatch";
    if (!branchId && nowhere) return null;
    const branch = this.branches.get(branchId ?? "");
    if (branch?.shop !== card.shop) return "branch_mismatch";
    const opens = row.type === "TOP_UP" || row.type === "REDEEM" || row.type === "BONUS";
    return opens && branch.archived ? "branch_mismatch" : null;
  }

  /** Posts the expiry of each lot that has ended. */
  expire(card: Card, moment: number): void {
    for (const lot of [...card.lots].sort(endsFirst)) {
      if (lot.left === 0 || lot.ends === null || lot.ends > moment) continue;
      this.add(card, { type: "EXPIRY", paid: 0, lots: [{ lot, points: -lot.left }], moment });
    }
  }

  private judge(row: Posting, card: Card, original: Move | undefined, moment: number): Judged {
    const { rules } = card.shop;
    const points = row.points ?? 0;
    const staff = this.staff.get(row.actor ?? "");
    const capped = staff?.worker && rules.cap !== null ? rules.cap : null;
    const today = () => this.toppedUp.get(`${row.actor} ${dayOf(moment)}`) ?? 0;
    const own = staff?.email === card.email || staff?.phone === card.phone;
    if (own && row.type !== "ADJUSTMENT" && row.type !== "IMPORT") return { outcome: "own_card" };
    if (row.type === "REFUND" && original) {
      const change = this.refund(row, original, moment, staff);
      if ("outcome" in change) return change;
      if (capped !== null && today() + change.paid + sumOfLots(change) > capped) {
        return { outcome: "daily_cap", limit: capped };
      }
      return change;
    }
    if (row.type === "REVERSAL" && original) return this.reversal(row, original, moment);
    const added = row.type === "TOP_UP" || row.type === "BONUS";
    const least = added ? rules.min : 1;
    if (row.type === "ADJUSTMENT" ? points === 0 : points < least)
      return { outcome: "below_minimum", limit: least };
    if (added && points > rules.max) return { outcome: "above_maximum", limit: rules.max };
    const held = balanceOf(card);
    if (row.type === "REDEEM") {
      if (points > held) return { outcome: "insufficient_balance" };
      if (row.proof === "invalid") return { outcome: "proof_invalid" };
      const used = card.unprovedDay === dayOf(moment) ? card.unproved : 0;
      if ((row.proof ?? "none") === "none" && used + points > card.shop.allowance) {
        return { outcome: "proof_required", limit: card.shop.allowance };
      }
      return this.draw(card, points);
    }
    if (held + points < 0) return { outcome: "insufficient_balance" };
    if (points > 0 && held + points > rules.maxBalance)
      return { outcome: "balance_limit", limit: rules.maxBalance };
    if (row.type === "BONUS" && row.endsAt && row.endsAt.getTime() <= moment)
      return { outcome: "bonus_ended" };
    if (row.type === "TOP_UP" && capped !== null && today() + points > capped) {
      return { outcome: "daily_cap", limit: capped };
    }
    if (points < 0) return this.draw(card, -points);
    return { paid: row.type === "BONUS" ? 0 : points, lots: [] };
  }

  private draw(card: Card, points: number): Change {
    let open = points;
    let paid = card.shop.paidFirst ? Math.min(open, card.paid) : 0;
    open -= paid;
    const lots: LotMove[] = [];
    for (const lot of [...card.lots].sort(endsFirst)) {
      const part = Math.min(open, lot.left);
      if (part > 0) lots.push({ lot, points: -part });
      open -= part;
    }
    paid += open;
    return { paid: -paid, lots };
  }

  private refund(row: Posting, original: Move, moment: number, staff: Staff | undefined): Judged {
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

  private reversal(row: Posting, original: Move, moment: number): Judged {
    const { card } = original;
    const { rules } = card.shop;
    const staffed = row.actorType === undefined || row.actorType === "user" || row.actorType === "api_key";
    if (original.type === "REVERSAL" || original.type === "EXPIRY" || (staffed && !original.branch)) {
      return { outcome: "not_reversible" };
    }
    if (row.scope === "own" && moment > original.at + rules.undo * 60_000) return { outcome: "undo_expired" };
    const later = card.moves.some((move) => move.seq > original.seq && move.type !== "EXPIRY");
    if (row.scope === "own" && later) return { outcome: "not_latest" };
    if (original.type === "REDEEM" && standing(original.refunds).length > 0) return { outcome: "refunded" };
    if (original.paid + original.bonus < 0 && original.rate > rules.rate) return { outcome: "value_lowered" };
    const spent = original.lots.some(({ lot, points }) => lot.left - points < 0);
    if (spent || card.paid - original.paid < 0) return { outcome: "already_spent" };
    return { paid: -original.paid, lots: original.lots.map(({ lot, points }) => ({ lot, points: -points })) };
  }

  private apply(row: Posting, card: Card, original: Move | undefined, change: Change, moment: number): Move {
    const givenBack = row.type === "REVERSAL" || row.type === "REFUND";
    const move = this.add(card, { ...change, type: row.type, moment });
    if (row.type === "BONUS") this.addLot(move, row);
    if (givenBack && original) move.rate = original.rate;
    move.branch = (givenBack ? original?.branch : null) ?? row.branch ?? null;
    move.staff = row.actor ?? null;
    if (row.type === "REFUND") original?.refunds.push(move);
    if (row.type === "REVERSAL" && original) original.reversedBy = move;
    const points = move.paid + move.bonus;
    const today = dayOf(moment);
    if (row.type === "REDEEM" && (row.proof ?? "none") === "none") {
      card.unproved = (card.unprovedDay === today ? card.unproved : 0) - points;
      card.unprovedDay = today;
      move.unproved = true;
    }
    if (row.type === "REVERSAL" && original?.unproved && dayOf(original.at) === card.unprovedDay) {
      card.unproved -= points;
    }
    this.count(row.type === "REVERSAL" ? original : move, row.type === "REVERSAL" ? -1 : 1);
    return move;
  }

  /** A worker's daily limit counts top-ups and refunds, minus later reversals of them. */
  private count(move: Move | undefined, sign: 1 | -1): void {
    if (!move?.staff || (move.type !== "TOP_UP" && move.type !== "REFUND")) return;
    const key = `${move.staff} ${dayOf(move.at)}`;
    this.toppedUp.set(key, (this.toppedUp.get(key) ?? 0) + sign * (move.paid + move.bonus));
  }

  private addLot(move: Move, row: Posting): void {
    const points = row.points ?? 0;
    const lot = { move, points, left: points, ends: row.endsAt?.getTime() ?? null, extended: false };
    move.card.lots.push(lot);
    Object.assign(move, {
      bonus: points,
      balance: move.balance + points,
      bonusAfter: move.bonusAfter + points,
    });
    move.lots = [{ lot, points }];
  }

  private add(card: Card, change: Change & { type: MovementType; moment: number }): Move {
    const { type, paid, lots, moment } = change;
    for (const { lot, points } of lots) {
      if (points > 0 && lot.ends !== null && lot.ends <= moment && !lot.extended) {
        lot.extended = true;
        lot.ends = moment + WEEK;
      }
      lot.left += points;
    }
    // Adding zero avoids minus zero for a reversal without paid points.
    const taken = paid + 0;
    card.paid += taken;
    card.last = moment;
    const { rate } = card.shop.rules;
    const made: Move = {
      ...{
        id: null,
        card,
        type,
        paid: taken,
        bonus: sumOfLots(change),
        balance: balanceOf(card),
        bonusAfter: bonusOf(card),
      },
      ...{ rate, balanceRate: rate, seq: card.moves.length + 1, at: moment, branch: null, staff: null, lots },
      ...{ reversedBy: null, refunds: [], unproved: false },
    };
    card.moves.push(made);
    return made;
  }
}
