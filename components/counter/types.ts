import type { CustomerHit, FoundCustomer, MerchantChoice } from "@/lib/domain/counter";
import type { MovementType, Tender } from "@/lib/domain/movements";

export type CounterMode = "topup" | "redeem";

/** Who stands at the counter: the card's holder, with the business that holds the card. */
export type CounterCustomer = FoundCustomer & {
  /** Null when the details could not be fetched. */
  merchant: MerchantChoice | null;
  /** Dirhams a point is worth. */
  rate: number;
};

/** What is sent. The key makes a repeat harmless. */
export type CounterPosting = {
  customerId: string;
  points: number;
  branchId: string;
  merchantId?: string;
  proof?: string;
  /** Of a top-up. */
  tender?: Tender;
  saleRef?: string;
};

/** A movement as the counter shows it; times are ISO 8601. */
export type CounterMovement = {
  id: string;
  type: MovementType;
  /** Signed. */
  points: number;
  /** Signed: of the points, what is paid and what is bonus. */
  paid: number;
  bonus: number;
  tender: Tender | null;
  saleRef: string | null;
  balance: number;
  cashValue: string;
  createdAt: string;
  customerId: string;
  customerName: string;
  branchName: string;
  undoUntil: string | null;
};

/**
 * What came of a call. "refused" is definite: nothing was posted. "lost" is not: no answer came, or the server failed,
 * so the same key must be sent again.
 */
export type Answer<T> =
  | { kind: "ok"; data: T }
  | { kind: "refused"; code: string; message: string }
  | { kind: "lost" }
  | { kind: "signedOut"; ended: boolean };

/** The calls the counter makes; handed in, so that components know neither routes nor wire names. */
export type CounterApi = {
  /** Whose answers these are: what is cached for one person is never shown to the next. */
  session: string;
  /** Whose attempts these are, over all of the person's sessions. */
  user: string;
  search: (term: string, signal: AbortSignal) => Promise<Answer<CustomerHit[]>>;
  view: (id: string) => Promise<Answer<CounterCustomer>>;
  recent: (mode: CounterMode) => Promise<Answer<CounterMovement[]>>;
  post: (mode: CounterMode, posting: CounterPosting, key: string) => Promise<Answer<CounterMovement>>;
  undo: (movementId: string, reason: string | null) => Promise<Answer<CounterMovement>>;
  sendCode: (customerId: string) => Promise<Answer<{ sentTo: string }>>;
};

/** What one signed-in person works with at the counter. */
export type CounterSetting = {
  api: CounterApi;
  /** What a super_admin may choose from; null for everyone else, who serves one merchant. */
  merchants: MerchantChoice[] | null;
  /** The worker's home branch: preselected, never a limit. */
  homeBranchId: string | null;
  /** An owner and a super_admin undo with a reason. */
  needsReason: boolean;
  onSignedOut: (ended: boolean) => void;
};
