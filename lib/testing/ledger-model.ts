import type { Posting } from "@/lib/ledger/batch";
import type { MovementType } from "@/lib/ledger/model/movements";
import { draw, modelRefund, reversal } from "./ledger-changes";
import {
  capturedBefore,
  captureOf,
  changeRefusal,
  endModelHold,
  extendModelHold,
  openModelHold,
  openRefusal,
  restOf,
  takeOf,
} from "./ledger-holds";
import {
  availableOf,
  balanceOf,
  bonusOf,
  dayOf,
  type Expected,
  endsFirst,
  type Judged,
  type ModelBranch,
  type ModelCard,
  type ModelChange,
  type ModelHold,
  type ModelKey,
  type ModelMove,
  type ModelTill,
  type Staff,
  sumOfLots,
  WEEK,
} from "./ledger-model-types";
import { keyRefusal, unreachable } from "./ledger-reach";

type Key = { hash: string; who: string; move?: ModelMove; hold?: ModelHold };
/** What a worker did on a day. */
type WorkerDay = { toppedUp: number; unproved: number };

/** The specification's ledger in memory, one row at a time. */
export class LedgerModel {
  cards = new Map<string, ModelCard>();
  branches = new Map<string, ModelBranch>();
  tills = new Map<string, ModelTill>();
  staff = new Map<string, Staff>();
  apiKeys = new Map<string, ModelKey>();
  /** Movements and holds by the id that the database answered. */
  moves = new Map<string, ModelMove>();
  holds = new Map<string, ModelHold>();
  private keys = new Map<string, Key>();
  private days = new Map<string, WorkerDay>();
  /** What an API key added on a day. */
  private added = new Map<string, number>();

  cardOf(row: Posting): ModelCard | undefined {
    const original = this.originalOf(row);
    if (row.type === "REVERSAL" || row.type === "REFUND") return original?.card;
    return this.cards.get(row.customer ?? "");
  }

  originalOf(row: Posting): ModelMove | undefined {
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
    const keyed = `${row.actor ?? row.apiKey ?? card?.id} ${row.key}`;
    const known = this.keys.get(keyed);
    if (known) {
      if (known.hash !== row.hash || known.who !== who) return refuse("key_reused");
      if (known.move) return { outcome: "replayed", move: known.move };
      return known.hold ? { outcome: "held", hold: known.hold, replayed: true } : refuse("key_reused");
    }
    const original = this.originalOf(row);
    const unreached = unreachable(this, row, card, original) ?? keyRefusal(this.apiKeys, row, card, original);
    if (unreached || !card) return refuse(unreached ?? "not_found");
    if (row.type === "REVERSAL" && original?.reversedBy) {
      if (row.actor || row.apiKey) this.keys.set(keyed, { hash: row.hash, who, move: original.reversedBy });
      return { outcome: "replayed", move: original.reversedBy };
    }
    const { shop } = card;
    if (row.type !== "ADJUSTMENT") {
      if (!shop.approved || shop.suspended) return refuse("merchant_unavailable");
      // A hold that is there is captured on a blocked or frozen card too.
      if (card.status !== "active" && !row.hold) return refuse(`customer_${card.status}`);
    }
    const moment = Math.max(now, card.last);
    this.settle(card, moment);
    if (!shop.suspended) this.expire(card, moment);
    const held = balanceOf(card);
    const key = this.apiKeys.get(row.apiKey ?? "");
    const hold = this.holds.get(row.hold ?? "");
    if (row.hold) {
      if (hold?.card !== card) return refuse("not_found", null, held);
      if (hold.key && !row.apiKey && row.holdCall !== "release") return refuse("hold_forbidden", null, held);
    }
    if (row.holdCall && row.holdCall !== "open" && row.holdCall !== "capture" && hold) {
      const opener = this.apiKeys.get(hold.key ?? "");
      const refusal = changeRefusal(row, hold, opener);
      if (refusal) return refuse(refusal.outcome, refusal.limit ?? null);
      if (row.holdCall === "extend") extendModelHold(row, hold, opener, moment);
      else if (hold.state === "open") {
        this.endHold(hold, "voided");
        this.expire(card, moment);
      }
      this.keys.set(keyed, { hash: row.hash, who, hold });
      return { outcome: "held", hold, replayed: false };
    }
    const before = hold && row.holdCall === "capture" ? capturedBefore(row, hold) : undefined;
    if (before) {
      this.keys.set(keyed, { hash: row.hash, who, move: before });
      return { outcome: "replayed", move: before };
    }
    const unopened = row.holdCall === "open" ? openRefusal(row, card, key) : null;
    if (unopened) return refuse(unopened.outcome, unopened.limit ?? null, held);
    const asked = row.upTo ? { ...row, points: Math.min(row.points ?? 0, availableOf(card)) } : row;
    const judged = hold
      ? captureOf(row, hold, this.isOwn(row, card))
      : this.judge(asked, card, original, moment);
    if ("outcome" in judged) {
      const refusal = refuse(judged.outcome, judged.limit ?? null, held);
      return judged.till === undefined ? refusal : { ...refusal, till: judged.till };
    }
    const above = hold ? null : this.aboveKey(row, judged, moment);
    if (above !== null) return refuse("key_limit", above, held);
    if (row.type === "REDEEM" && !hold && row.proof && row.proof !== "none") {
      if (card.proofs.has(row.proofRef ?? "")) return refuse("proof_invalid", null, held);
      card.proofs.add(row.proofRef ?? "");
    }
    if (row.holdCall === "open") {
      const opened = openModelHold(row, card, judged, { moment, day: dayOf(moment) });
      if (opened.unprovedDay !== null) this.countUnproved(card, opened.staff, dayOf(moment), opened.points);
      this.keys.set(keyed, { hash: row.hash, who, hold: opened });
      return { outcome: "held", hold: opened, replayed: false };
    }
    if (hold) {
      takeOf(hold, judged);
      if (hold.state === "open" && row.final !== false) {
        this.endHold(hold, "captured");
        this.expire(card, moment);
      }
    }
    const move = hold
      ? this.captured(row, hold, judged, moment)
      : this.apply(row, card, original, judged, moment);
    this.keys.set(keyed, { hash: row.hash, who, move });
    return { outcome: "posted", move };
  }

  /** The limit of the API key that a change would pass, or null. */
  private aboveKey(row: Posting, change: ModelChange, moment: number): number | null {
    const key = this.apiKeys.get(row.apiKey ?? "");
    if (!key || !["TOP_UP", "BONUS", "REDEEM"].includes(row.type)) return null;
    const points = row.type === "BONUS" ? (row.points ?? 0) : change.paid + sumOfLots(change);
    if (key.most !== null && Math.abs(points) > key.most) return key.most;
    const added = this.added.get(`${key.id} ${dayOf(moment)}`) ?? 0;
    return points > 0 && added + points > key.mostInDay ? key.mostInDay : null;
  }

  /** Whether staff of its shop hold the card. */
  private isStaffCard({ shop, email, phone }: ModelCard): boolean {
    const contacts = [email, phone];
    return [...this.staff.values()].some(
      (one) =>
        one.merchantId === shop.id &&
        contacts.some((own) => own === one.email || own === one.phone || one.former.has(own)),
    );
  }

  /** Posts the expiry of each lot that has ended. */
  expire(card: ModelCard, moment: number): void {
    for (const lot of [...card.lots].sort(endsFirst)) {
      if (lot.left === lot.held || lot.ends === null || lot.ends > moment) continue;
      this.add(card, { type: "EXPIRY", paid: 0, lots: [{ lot, points: lot.held - lot.left }], moment });
    }
  }

  /** What the jobs do to a card: lapse_holds to one with a hold that is over, expire_bonus to one with a bonus that has ended. */
  tidy(card: ModelCard, clock: number): void {
    this.settle(card, clock);
    if (!card.shop.suspended) this.expire(card, Math.max(clock, card.last));
  }

  /** Ends the holds whose time is over. */
  private settle(card: ModelCard, moment: number): void {
    for (const hold of card.holds) {
      if (hold.state === "open" && hold.expiresAt <= moment) this.endHold(hold, "lapsed");
    }
  }

  /** The points of the actor's holds of the day on other cards that have lapsed, though nothing has ended them. */
  private lapsedElsewhere(row: Posting, card: ModelCard, moment: number): number {
    // A card is in the map by both of its ids.
    const holds = [...new Set(this.cards.values())].flatMap((one) => one.holds);
    const lapsed = holds.filter(
      (hold) =>
        hold.card !== card &&
        hold.staff === row.actor &&
        hold.unprovedDay === dayOf(moment) &&
        hold.state === "open" &&
        hold.expiresAt <= moment,
    );
    return lapsed.reduce((sum, hold) => sum + restOf(hold), 0);
  }

  private endHold(hold: ModelHold, state: ModelHold["state"]): void {
    const rest = restOf(hold);
    endModelHold(hold, state);
    const { card, unprovedDay, staff } = hold;
    if (unprovedDay === null) return;
    if (card.unprovedDay === unprovedDay) card.unproved -= rest;
    if (staff) this.dayOfWorker(staff, unprovedDay, true).unproved -= rest;
  }

  /** Adds to what was redeemed without a proof on a day: of the card, and of who did it. */
  private countUnproved(card: ModelCard, staff: string | null, day: number, points: number): void {
    card.unproved = (card.unprovedDay === day ? card.unproved : 0) + points;
    card.unprovedDay = day;
    if (staff) this.dayOfWorker(staff, day, true).unproved += points;
  }

  /** The redemption of a capture: its hold counted when it was opened. */
  private captured(row: Posting, hold: ModelHold, change: ModelChange, moment: number): ModelMove {
    for (const { lot, points } of change.lots) lot.held += points;
    hold.card.heldPaid += change.paid;
    const move = this.add(hold.card, { ...change, type: "REDEEM", moment });
    Object.assign(move, {
      branch: hold.branch,
      staff: row.actor ?? null,
      key: row.apiKey ?? null,
      till: this.tills.get(row.till ?? "") ?? null,
      unproved: hold.unprovedDay !== null,
      hold,
    });
    hold.captures.push(move);
    return move;
  }

  /** Whether whoever posts holds the card. */
  private isOwn(row: Posting, card: ModelCard): boolean {
    const staff = this.staff.get(row.actor ?? "");
    return (
      staff?.email === card.email ||
      staff?.phone === card.phone ||
      Boolean(staff?.former.has(card.email) || staff?.former.has(card.phone))
    );
  }

  private judge(row: Posting, card: ModelCard, original: ModelMove | undefined, moment: number): Judged {
    const { rules } = card.shop;
    const points = row.points ?? 0;
    const staff = this.staff.get(row.actor ?? "");
    const cap = rules.own || rules.cap !== null ? rules.cap : card.shop.defaultCap;
    const capped = staff?.worker ? cap : null;
    const today = this.dayOfWorker(row.actor, moment);
    const key = this.apiKeys.get(row.apiKey ?? "");
    const keyMayNot = key && !key.staffCards && ["TOP_UP", "BONUS", "REFUND"].includes(row.type);
    const own = this.isOwn(row, card) || (keyMayNot && this.isStaffCard(card));
    if (own && row.type !== "ADJUSTMENT" && row.type !== "IMPORT") return { outcome: "own_card" };
    if (row.type === "REFUND" && original) {
      const change = modelRefund(row, original, moment, staff);
      if ("outcome" in change) return change;
      if (capped !== null && today.toppedUp + change.paid + sumOfLots(change) > capped) {
        return { outcome: "daily_cap", limit: capped };
      }
      return change;
    }
    if (row.type === "REVERSAL" && original) return reversal(row, original, moment, staff);
    const added = row.type === "TOP_UP" || row.type === "BONUS";
    const least = added ? rules.min : 1;
    if (row.type === "ADJUSTMENT" ? points === 0 : points < least)
      return { outcome: "below_minimum", limit: least };
    if (added && points > rules.max) return { outcome: "above_maximum", limit: rules.max };
    const held = balanceOf(card);
    if (row.type === "REDEEM") {
      if (points > availableOf(card)) return { outcome: "insufficient_balance" };
      if (row.proof === "invalid") return { outcome: "proof_invalid" };
      const used = card.unprovedDay === dayOf(moment) ? card.unproved : 0;
      const bare = (row.proof ?? "none") === "none";
      if (bare && used + points > card.shop.allowance) {
        return { outcome: "proof_required", limit: card.shop.allowance };
      }
      const unproved = today.unproved - this.lapsedElsewhere(row, card, moment);
      if (bare && staff?.worker && unproved + points > card.shop.workerAllowance) {
        return { outcome: "worker_proof_required", limit: card.shop.workerAllowance };
      }
      return draw(card, points);
    }
    if (points < 0 && availableOf(card) + points < 0) return { outcome: "insufficient_balance" };
    if (points > 0 && held + points > rules.maxBalance)
      return { outcome: "balance_limit", limit: rules.maxBalance };
    if (row.type === "BONUS" && row.endsAt && row.endsAt.getTime() <= moment)
      return { outcome: "bonus_ended" };
    if (row.type === "TOP_UP" && capped !== null && today.toppedUp + points > capped) {
      return { outcome: "daily_cap", limit: capped };
    }
    if (points < 0) return draw(card, -points);
    return { paid: row.type === "BONUS" ? 0 : points, lots: [] };
  }

  private apply(
    row: Posting,
    card: ModelCard,
    original: ModelMove | undefined,
    change: ModelChange,
    moment: number,
  ): ModelMove {
    const givenBack = row.type === "REVERSAL" || row.type === "REFUND";
    const move = this.add(card, { ...change, type: row.type, moment });
    if (row.type === "BONUS") this.addLot(move, row);
    if (givenBack && original) move.rate = original.rate;
    move.branch = (givenBack ? original?.branch : null) ?? row.branch ?? null;
    move.staff = row.actor ?? null;
    move.key = row.apiKey ?? null;
    move.till = this.tills.get(row.till ?? "") ?? null;
    move.cash = row.type === "TOP_UP" && (row.tender ?? "cash") === "cash";
    if (row.type === "REFUND") original?.refunds.push(move);
    if (row.type === "REVERSAL" && original) original.reversedBy = move;
    const points = move.paid + move.bonus;
    const today = dayOf(moment);
    if (row.type === "REDEEM" && (row.proof ?? "none") === "none") {
      card.unproved = (card.unprovedDay === today ? card.unproved : 0) - points;
      card.unprovedDay = today;
      move.unproved = true;
    }
    const counted = original && (original.hold ? original.hold.unprovedDay : dayOf(original.at));
    if (row.type === "REVERSAL" && original?.unproved && counted === card.unprovedDay) {
      card.unproved -= points;
    }
    this.count(row.type === "REVERSAL" ? original : move, row.type === "REVERSAL" ? -1 : 1);
    return move;
  }

  /** A worker's daily limits count top-ups with refunds and unproved redemptions, minus later reversals of them. */
  private count(move: ModelMove | undefined, sign: 1 | -1): void {
    if (move?.key && (move.type === "TOP_UP" || move.type === "BONUS")) {
      const day = `${move.key} ${dayOf(move.at)}`;
      this.added.set(day, (this.added.get(day) ?? 0) + sign * (move.paid + move.bonus));
    }
    const { hold } = move ?? {};
    if (hold) {
      // Only a reversal counts: the hold did when it was opened.
      if (hold.staff && hold.unprovedDay !== null) {
        this.dayOfWorker(hold.staff, hold.unprovedDay, true).unproved -=
          -(move?.paid ?? 0) - (move?.bonus ?? 0);
      }
      return;
    }
    if (!move?.staff) return;
    const day = this.dayOfWorker(move.staff, move.at);
    const points = sign * (move.paid + move.bonus);
    if (move.type === "TOP_UP" || move.type === "REFUND") day.toppedUp += points;
    if (move.unproved) day.unproved -= points;
  }

  /** The worker's day of a moment, or of the number of a day. */
  private dayOfWorker(staff: string | undefined, moment: number, isDay = false): WorkerDay {
    const key = `${staff} ${isDay ? moment : dayOf(moment)}`;
    const day = this.days.get(key) ?? { toppedUp: 0, unproved: 0 };
    this.days.set(key, day);
    return day;
  }

  private addLot(move: ModelMove, row: Posting): void {
    const points = row.points ?? 0;
    const lot = { move, points, left: points, held: 0, ends: row.endsAt?.getTime() ?? null, extended: false };
    move.card.lots.push(lot);
    Object.assign(move, {
      bonus: points,
      balance: move.balance + points,
      bonusAfter: move.bonusAfter + points,
    });
    move.lots = [{ lot, points }];
  }

  private add(card: ModelCard, change: ModelChange & { type: MovementType; moment: number }): ModelMove {
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
    const made: ModelMove = {
      ...{
        id: null,
        card,
        type,
        paid: taken,
        bonus: sumOfLots(change),
        balance: balanceOf(card),
        bonusAfter: bonusOf(card),
      },
      rate,
      balanceRate: rate,
      seq: card.moves.length + 1,
      at: moment,
      branch: null,
      staff: null,
      key: null,
      till: null,
      cash: false,
      lots,
      reversedBy: null,
      refunds: [],
      unproved: false,
      hold: null,
    };
    card.moves.push(made);
    return made;
  }
}
