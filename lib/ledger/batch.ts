import { shownId } from "@/lib/customers/model/customer-id";
import type { Db, Tx } from "@/lib/db/client";
import { type ActorType, Prisma } from "@/lib/db/generated/client";
import type { Actor } from "@/lib/domain/actor";
import type { ErrorCode } from "@/lib/domain/errors";
import type { MerchantNames } from "@/lib/domain/localized-names";
import type { Hold } from "@/lib/holds/names";
import { traceparent } from "@/lib/observe/trace";
import type { Movement, MovementActor, MovementType } from "./model/movements";
import type { Tender } from "./model/tender";

export type PostingActor =
  | { actorType?: "user"; actor: string; apiKey?: undefined }
  | { actorType: "api_key"; apiKey: string; actor?: undefined }
  | { actorType: "card_holder" | "system"; actor?: undefined; apiKey?: undefined };

/** The part of a row for post_movements that an operation decides; its file in prisma/functions has the fields. */
export type PostingRequest = {
  type: MovementType;
  /** The customer's private or public id; a reversal finds it by its original. */
  customer?: string;
  /** The branch at which a user or a key posts. A card holder posts at none. */
  branch?: string;
  namedMerchant?: string;
  /** Unsigned, except for an ADJUSTMENT. Absent for a REFUND that gives back all that is left. */
  points?: number;
  reverses?: string;
  refunds?: string;
  reason?: string;
  tender?: Tender;
  saleRef?: string;
  /** When a BONUS ends (exclusive); absent: never. */
  endsAt?: Date;
  /** Of a REDEEM: what it does to a hold instead of redeeming. All but "open" name the hold. "undo": its answer was lost. */
  holdCall?: "open" | "capture" | "void" | "undo" | "release" | "extend";
  hold?: string;
  /** Opens a hold of what is available, where that is less. */
  upTo?: boolean;
  /** How long a hold lasts from now. */
  seconds?: number;
  /** Whether a capture gives back what is left; the default. */
  final?: boolean;
};

export type PostingRow = PostingRequest & {
  scope: "any" | "merchant" | "own";
  scopeMerchant?: string | null;
  key: string;
  hash: string;
  proof?: "none" | "live_code" | "mailed_code" | "invalid";
  proofRef?: string;
  /** Null or absent: the database's clock, read once the customer is locked. */
  at?: Date | null;
  /** The counter's clock, where it is another. */
  occurred?: Date;
  till?: string;
  /** The user who posts a kept top-up from the inbox. Like who kept it, they may not post to an own card. */
  resolver?: string;
  /** The owner posts what came late: a till that was retired since does not stop it. */
  late?: boolean;
};

export type Posting = PostingActor & PostingRow;

/** A refusal of a row, by its code in the API or one that `refusalOf` translates. */
export type Refusal =
  | ErrorCode
  | "refund_forbidden"
  /** The key's longest hold is `limit` seconds. */
  | "hold_too_long"
  /** A key opened it, and a user asks; or the other way round. */
  | "hold_forbidden"
  /** Another transaction holds the customer: only for rows that must not wait. */
  | "busy";

/** A movement as the ledger answers it, with the customer's private id; `shownTo` makes an answer of it. */
export type PostedRow = Omit<Movement, "customer"> & {
  /** How much of the card's balance is held now. */
  held: number;
  customer: { id: string; publicId: string; fullName: string };
};

/** A hold as the ledger answers it, with the customer's private id, who opened it and under which idempotency key. */
export type PostedHold = Omit<Hold, "customer"> & {
  customer: PostedRow["customer"];
  /** The card's figures, in points. */
  balance: number;
  held: number;
  keyId: string | null;
  key: string;
};

/** Answers the movement that the ledger posted, or the hold, as this viewer may see it. */
export const shownTo = (viewer: Actor, { customer, held, ...movement }: PostedRow): Movement => ({
  ...movement,
  customer: { ...customer, id: shownId(viewer, customer) },
});
export const holdShownTo = (
  viewer: Actor,
  { customer, balance, held, keyId, key, ...hold }: PostedHold,
): Hold => ({
  ...hold,
  customer: { ...customer, id: shownId(viewer, customer) },
});

export type Outcome =
  | { outcome: "posted" | "replayed"; movement: PostedRow; hold?: PostedHold }
  | { outcome: "held"; hold: PostedHold; replayed: boolean }
  | {
      outcome: Refusal;
      limit: number | null;
      balance: number | null;
      till?: string | null;
      hold?: PostedHold;
      /** Of a mailed code, after a wrong one. */
      triesLeft?: number | undefined;
    };

type Names = Omit<PostedRow["customer"], "id"> & {
  customerId: string;
  actorType: ActorType;
  actorId: string | null;
  actorName: string | null;
};

type Raw = Omit<PostedRow, "held" | "customer" | "branch" | "till" | "actor"> &
  Names & {
    outcome: "posted" | "replayed" | Refusal;
    allowed: number | null;
    balance: number | null;
    branchId: string | null;
    branchName: string | null;
    tillId: string | null;
    tillName: string | null;
    /** Absent where the functions of before answer, during an upgrade. */
    held: number | null;
    hold: HoldJson | null;
  };

const OUTCOME = `outcome, allowed, balance, movement_id AS id, type, points, paid_points AS "paidPoints",
  bonus_points AS "bonusPoints", balance_after AS "balanceAfter", bonus_after AS "bonusAfter", rate,
  balance_rate AS "balanceRate", seq, tender, sale_ref AS "saleRef", reason, reverses_id AS "reversesId",
  refunds_id AS "refundsId", occurred_at AS "occurredAt", created_at AS "createdAt", customer_id AS "customerId",
  public_id AS "publicId", full_name AS "fullName", branch_id AS "branchId", branch_name AS "branchName",
  actor_type AS "actorType", actor_id AS "actorId", actor_name AS "actorName", undo_until AS "undoUntil",
  till_id AS "tillId", till_name AS "tillName", held, hold`;

export type HoldJson = Omit<
  PostedHold,
  "expiresAt" | "createdAt" | "closedAt" | "drawn" | "customer" | "merchant" | "branch" | "actor"
> &
  Names &
  MerchantNames & {
    expiresAt: string;
    createdAt: string;
    closedAt: string | null;
    paid: number;
    merchantId: string;
    branchId: string;
    branchName: string;
    /** Absent where the functions of before answer, during an upgrade. */
    branchNameAr?: string | null;
  };

/** The hold of a row of hold_json. */
export function holdFrom(row: HoldJson): PostedHold {
  const { paid, customerId, publicId, fullName, merchantId, businessName, businessNameAr, ...rest } = row;
  const { branchId, branchName, branchNameAr, actorType, actorId, actorName, ...hold } = rest;
  return {
    ...hold,
    expiresAt: new Date(hold.expiresAt),
    createdAt: new Date(hold.createdAt),
    closedAt: hold.closedAt === null ? null : new Date(hold.closedAt),
    drawn: { paid, bonus: hold.points - paid },
    customer: { id: customerId, publicId, fullName },
    merchant: { id: merchantId, businessName, businessNameAr },
    branch: { id: branchId, name: branchName, nameAr: branchNameAr },
    actor: movementActor(actorType, actorId, actorName),
  };
}

/** A connection that runs the statement outside of Prisma: a pool or a client of it. */
export type Connection = { query(text: string, values: unknown[]): Promise<{ rows: unknown[] }> };

/** Posts rows in one transaction; answers one outcome a row, in order. `quiet`: no receipts, no pushes. */
export async function postBatch(
  db: Db | Tx,
  rows: readonly Posting[],
  { quiet = false }: { quiet?: boolean } = {},
): Promise<Outcome[]> {
  const answers = await db.$queryRaw<Raw[]>`
    SELECT ${Prisma.raw(OUTCOME)} FROM post_movements(${jsonOf(rows)}::jsonb, ${quiet}) ORDER BY idx`;
  return answers.map(toOutcome);
}

/** The same over a connection of the posting pool; with `skip`, rows whose customer is held are answered busy. */
export async function postOver(
  connection: Connection,
  rows: readonly Posting[],
  { skip }: { skip: boolean },
): Promise<Outcome[]> {
  const trace = traceparent();
  // Rows of the posting outbox take the setting as their cause. set_config answers no null, so the flag stays as it is.
  const flag = trace ? "(set_config('wallet.traceparent', $3, true) is null) <> $2" : "$2";
  const text = `SELECT ${OUTCOME} FROM post_movements($1::jsonb, false, ${flag}) ORDER BY idx`;
  const { rows: answers } = await connection.query(text, [jsonOf(rows), skip, ...(trace ? [trace] : [])]);
  return (answers as Raw[]).map(toOutcome);
}

const jsonOf = (rows: readonly Posting[]): string => JSON.stringify(rows.map(toRow));

function toRow(row: Posting, idx: number) {
  const named = Object.entries({ ...row, idx, proof: row.proof ?? "none" });
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(named.map(([name, value]) => [snake(name), value]));
}

function toOutcome({ outcome, allowed, balance, hold: json, ...row }: Raw): Outcome {
  const hold = json ? { hold: holdFrom(json) } : {};
  const { customerId, publicId, fullName, branchId, branchName, tillId, tillName, ...others } = row;
  if (outcome !== "posted" && outcome !== "replayed") {
    const refused = { outcome, limit: allowed, balance, ...hold };
    return outcome === "other_till" ? { ...refused, till: tillName } : refused;
  }
  if (hold.hold && !row.id) return { outcome: "held", hold: hold.hold, replayed: outcome === "replayed" };
  const { actorType, actorId, actorName, ...own } = others;
  const movement: PostedRow = {
    ...own,
    customer: { id: customerId, publicId, fullName },
    branch: named(branchId, branchName),
    till: named(tillId, tillName),
    actor: movementActor(actorType, actorId, actorName),
    held: row.held ?? 0,
  };
  return { outcome, movement, ...hold };
}

const named = (id: string | null, name: string | null) => (id === null ? null : { id, name: name ?? "" });

/** The actor of a movement. A CHECK ensures that a user has an id and that other kinds have none. */
export function movementActor(type: ActorType, id: string | null, name: string | null): MovementActor {
  if (type === "user") return { type, id: id ?? "", name: name ?? "" };
  if (type === "api_key") return { type: "apiKey", id: null, name: name ?? "" };
  return { type: type === "card_holder" ? "cardHolder" : type, id: null, name: null };
}

/** The stored result of a user's or an API key's request with this key, or null. It does not check anyone's status. */
export async function storedPosting(db: Db | Tx, row: Posting): Promise<Outcome | null> {
  const [answer] = await db.$queryRaw<Raw[]>`
    SELECT ${Prisma.raw(OUTCOME)} FROM stored_posting(${jsonOf([row])}::jsonb)`;
  return answer?.outcome ? toOutcome(answer) : null;
}
