import type { ReactNode } from "react";
import type { Answer as ApiAnswer, ViewOf } from "@/lib/api/client";
import type { NoteGround } from "@/lib/cards/model/card-colours";
import type { CustomerHit, MerchantChoice, ServedCustomer } from "@/lib/counter/names";
import type { MerchantNames } from "@/lib/domain/localized-names";
import type { Tender } from "@/lib/ledger/model/tender";
import type { ledgerCalls } from "@/lib/ledger/names";

export type CounterMode = "topup" | "redeem";

/** A customer in the results of a search. The counter names customers by the public id alone, whoever serves. */
export type CounterHit = Omit<CustomerHit, "id" | "held"> & {
  /** How much of the balance open holds reserve. Absent where it is not known. */
  held?: number;
};

export type CounterCustomer = Omit<CounterHit, keyof MerchantNames> & {
  /** Null when the details could not be fetched. */
  merchant: MerchantChoice | null;
  /** Dirhams per point. */
  rate: number;
  /** Absent when the details could not be fetched. */
  limits?: ServedCustomer["limits"];
  /** Absent when the details could not be fetched, and in an attempt that an earlier version stored. */
  status?: ServedCustomer["status"];
  /** The details come from this till's store, without a connection: it has neither phone nor e-mail. */
  kept?: true;
};

export type CounterPosting = {
  /** The public id; the private one in an attempt that an earlier version stored. */
  customerId: string;
  points: number;
  branchId: string;
  merchantId?: string;
  proof?: string;
  tender?: Tender;
  saleRef?: string;
};

/** A movement as the counter shows it; times are ISO 8601. */
export type CounterMovement = Omit<
  ViewOf<typeof ledgerCalls.topUp>,
  "actor" | "customer" | "occurredAt" | "till"
> & {
  customerName: string;
  /** Set if a till keeps it and sends it when it is online again; the balance is the expected one. */
  kept?: true;
};

/** `left`: how many points can still be refunded. `undoUntil`: by this device's clock, which may be wrong. */
export type RecentMovement = CounterMovement & { left: number; reversed: boolean };

/** The latest movements that a page brings with it. It was made at `madeAt` of the server's clock, as is every `undoUntil`. */
export type FirstRecent = { mode: CounterMode; madeAt: string; rows: RecentMovement[] };

export type Answer<T> =
  | Exclude<ApiAnswer<T>, { kind: "ok" }>
  /** `asOf`: set without a connection. The time of the till's data in milliseconds, or null if it has none. */
  | { kind: "ok"; data: T; asOf?: number | null };

/** The outcome of a top-up that a till kept: posted, left to the owner, or not accepted. */
export type KeptOutcome = "posted" | "inbox" | "refused";

/** The calls of the counter, without routes and wire names: a till may answer them by itself. None throws. */
export type CounterApi = {
  /** The session, as a cache key: one user's cached answers are never shown to the next. */
  session: string;
  /** The user, as a key of stored attempts across all their sessions. */
  user: string;
  search: (term: string, signal: AbortSignal) => Promise<Answer<CounterHit[]>>;
  view: (id: string) => Promise<Answer<CounterCustomer>>;
  recent: (mode: CounterMode) => Promise<Answer<RecentMovement[]>>;
  first?: FirstRecent;
  /** Calls back when the answer of `recent` changes without a posting on this page. Answers what unsubscribes. */
  followRecent?: (changed: () => void) => () => void;
  followKept?: (movement: CounterMovement, settled: (outcome: KeptOutcome) => void) => () => void;
  /** The redemptions with a bill number that the user may refund. */
  findRedemptions: (saleRef: string) => Promise<Answer<RecentMovement[]>>;
  /** `again`: the same key was sent before and never answered. */
  post: (
    mode: CounterMode,
    posting: CounterPosting,
    key: string,
    again?: boolean,
  ) => Promise<Answer<CounterMovement>>;
  undo: (movementId: string, reason: string | null) => Promise<Answer<CounterMovement>>;
  /** Gives up the request with this key, which was never answered: it is undone, or will never be recorded. */
  giveUp: (key: string) => Promise<Answer<{ undone: boolean }>>;
  /** Mails a code that is good for so many points or less. */
  sendCode: (customerId: string, points: number) => Promise<Answer<{ sentTo: string }>>;
};

export type CounterSetting = {
  api: CounterApi;
  /** The merchants a super_admin chooses from; null for all others, who serve one merchant. */
  merchants: MerchantChoice[] | null;
  /** The employee's home branch. It is preselected, but does not restrict the choice. */
  homeBranchId: string | null;
  /** The shop's banknote, on which a success is shown; absent where there is none. */
  note?: NoteGround | undefined;
  /** The device is a till of the home branch, so no other one is offered. */
  ofBranch?: boolean;
  /** Whether an undo needs a reason, as for an owner and a super_admin. */
  needsReason: boolean;
  /** For how many days the user may refund a redemption from a list: 0 for never, Infinity without a limit. */
  refundDays: number;
  recentNote?: ((asOf: number | null) => ReactNode) | undefined;
  onSignedOut: (ended: boolean) => void;
};
