import type { Posting } from "@/lib/ledger/batch";
import {
  availableOf,
  endsFirst,
  type Judged,
  type Lot,
  type LotMove,
  type ModelCard,
  type ModelChange,
  type ModelHold,
  type ModelKey,
  type ModelMove,
  sum,
} from "./ledger-model-types";

/** The longest hold of a key, or of a user, in seconds. */
const longest = (key: ModelKey | undefined): number => key?.longest ?? 900;

export const restOf = (hold: ModelHold): number => hold.points - hold.captured;

/** The points of a card at a later moment, without what has ended by then and is not held: as its next posting finds them. */
export function pointsAt(card: ModelCard, at: number): { paid: number; bonus: number; held: number } {
  const open = card.holds.filter(({ state, expiresAt }) => state === "open" && expiresAt > at);
  const heldOf = (lot: Lot) =>
    sum(open.flatMap(({ lots }) => lots).map((one) => (one.lot === lot ? one.points - one.captured : 0)));
  const bonus = card.lots.map((lot) => (lot.ends !== null && lot.ends <= at ? heldOf(lot) : lot.left));
  return { paid: card.paid, bonus: sum(bonus), held: sum(open.map(restOf)) };
}

/** Reserves what was decided as a redemption. */
export function openModelHold(
  row: Posting,
  card: ModelCard,
  change: ModelChange,
  { moment, day }: { moment: number; day: number },
): ModelHold {
  const points = -change.paid - change.lots.reduce((sum, lot) => sum + lot.points, 0);
  const bare = (row.proof ?? "none") === "none";
  const hold: ModelHold = {
    id: null,
    card,
    branch: row.branch ?? "",
    staff: row.actor ?? null,
    key: row.apiKey ?? null,
    points,
    paid: -change.paid,
    captured: 0,
    capturedPaid: 0,
    lots: change.lots.map(({ lot, points: part }) => ({ lot, points: -part, captured: 0 })),
    state: "open",
    createdAt: moment,
    expiresAt: moment + (row.seconds ?? 0) * 1_000,
    extended: false,
    unprovedDay: bare ? day : null,
    captures: [],
  };
  for (const { lot, points: part } of hold.lots) lot.held += part;
  card.heldPaid += hold.paid;
  card.holds.push(hold);
  return hold;
}

/** What is left of a hold is free. */
export function endModelHold(hold: ModelHold, state: ModelHold["state"]): void {
  hold.state = state;
  for (const { lot, points, captured } of hold.lots) lot.held -= points - captured;
  hold.card.heldPaid -= hold.paid - hold.capturedPaid;
}

/** Why no hold may be opened, whatever its points; null when one may. */
export function openRefusal(
  row: Posting,
  card: ModelCard,
  key: ModelKey | undefined,
): { outcome: string; limit?: number } | null {
  if (row.upTo && Math.min(row.points ?? 0, availableOf(card)) < 1)
    return { outcome: "insufficient_balance" };
  if ((row.seconds ?? 0) > longest(key)) return { outcome: "hold_too_long", limit: longest(key) };
  const open = card.holds.filter(({ state }) => state === "open").length;
  return open >= 5 ? { outcome: "too_many_holds", limit: 5 } : null;
}

/** What a capture takes of its hold, or why not. */
export function captureOf(row: Posting, hold: ModelHold, isOwn: boolean): Judged {
  if (hold.state !== "open") return { outcome: "hold_closed" };
  const wanted = row.points ?? restOf(hold);
  if (wanted < 1) return { outcome: "below_minimum", limit: 1 };
  if (wanted > restOf(hold)) return { outcome: "hold_exceeded", limit: restOf(hold) };
  if (isOwn) return { outcome: "own_card" };
  const restPaid = hold.paid - hold.capturedPaid;
  const paid = hold.card.shop.paidFirst
    ? Math.min(restPaid, wanted)
    : Math.max(0, wanted - (restOf(hold) - restPaid));
  let open = wanted - paid;
  const lots: LotMove[] = [];
  for (const one of [...hold.lots].sort((a, b) => endsFirst(a.lot, b.lot))) {
    const part = Math.min(open, one.points - one.captured);
    if (part > 0) lots.push({ lot: one.lot, points: -part });
    open -= part;
  }
  return { paid: -paid, lots };
}

/** Writes a capture in its hold. What it takes stays held until the movement is made. */
export function takeOf(hold: ModelHold, change: ModelChange): void {
  hold.capturedPaid -= change.paid;
  hold.captured -= change.paid;
  for (const { lot, points } of change.lots) {
    hold.captured -= points;
    const own = hold.lots.find((one) => one.lot === lot);
    if (own) own.captured -= points;
  }
  if (restOf(hold) === 0) hold.state = "captured";
}

/** Void, undo, release and extend: why not, or null where it may. */
export function changeRefusal(
  row: Posting,
  hold: ModelHold,
  key: ModelKey | undefined,
): { outcome: string; limit?: number } | null {
  const { holdCall } = row;
  if (holdCall === "release" && !hold.key) return { outcome: "hold_forbidden" };
  if (holdCall === "extend") {
    if (hold.state !== "open") return { outcome: "hold_closed" };
    if (hold.extended) return { outcome: "hold_extended" };
    if ((row.seconds ?? 0) > longest(key)) return { outcome: "hold_too_long", limit: longest(key) };
  }
  if (hold.state !== "open" && hold.state !== "voided") return { outcome: "hold_closed" };
  if (holdCall !== "release" || hold.state !== "open") return null;
  const { proof, proofRef = "" } = row;
  if (proof !== "live_code" || hold.card.proofs.has(proofRef)) return { outcome: "proof_invalid" };
  hold.card.proofs.add(proofRef);
  return null;
}

/** Moves the end of a hold. */
export function extendModelHold(
  row: Posting,
  hold: ModelHold,
  key: ModelKey | undefined,
  moment: number,
): void {
  hold.extended = true;
  hold.expiresAt = Math.min(
    moment + (row.seconds ?? 0) * 1_000,
    Math.max(hold.expiresAt, hold.createdAt + longest(key) * 1_000),
  );
}

/** The first result of a full capture of a captured hold. */
export function capturedBefore(row: Posting, hold: ModelHold): ModelMove | undefined {
  const isFull = row.points === undefined || (row.points === hold.points && hold.captured === hold.points);
  return hold.state === "captured" && isFull ? hold.captures.at(-1) : undefined;
}
