import { setTimeout } from "node:timers/promises";
import { createWallet, type WalletOptions } from "./wallet.ts";

type Answer<T> = { data?: { data: T }; error?: { code: string; message?: string }; response: Response };

/** A refusal of the wallet: `code` is its word for programs, and `message` a sentence for a person. */
export class WalletRefusal extends Error {
  readonly code: string;
  constructor({ code, message }: { code: string; message: string }) {
    super(message);
    this.name = "WalletRefusal";
    this.code = code;
  }
}

export type PaymentOptions = WalletOptions & {
  /** The branch that the payments belong to; absent: the first that the key may post at. */
  branch?: string;
  /** Seconds that a payment waits for its capture: 900, or up to what the key's longest hold allows. */
  seconds?: number;
};

/** What a shop knows of a payment after it was authorised. Keep it with the order. */
export type Payment = { hold: string; points: number; capture?: string };

/** Tries of one call. The same Idempotency-Key goes with each, so nothing is posted twice. */
const TRIES = 4;
const isTransient = (status: number) => status === 429 || status >= 500;

/** Calls until there is an answer that stays. Throws WalletRefusal, or the last failure of the connection. */
async function settled<T>(call: () => Promise<Answer<T>>): Promise<T> {
  for (let nth = 1; ; nth++) {
    try {
      const { data, error, response } = await call();
      if (data) return data.data;
      const code = error?.code ?? "internal";
      if (nth === TRIES || (!isTransient(response.status) && code !== "in_progress")) {
        throw new WalletRefusal({ code, message: error?.message ?? response.statusText });
      }
      await setTimeout(1000 * Number(response.headers.get("retry-after") ?? nth));
    } catch (error) {
      if (error instanceof WalletRefusal || nth === TRIES) throw error;
      await setTimeout(250 * 2 ** nth);
    }
  }
}

/**
 * The steps of a payment with a card's balance, for a shop system: authorise reserves (a hold), capture takes, cancel gives
 * back, refund returns a part of what was taken. Amounts are in dirhams (100 are QAR 1.00) and have to be whole points. Give
 * each step of an order a `key` of its own that stays the same when the step is repeated. Each throws WalletRefusal.
 */
export function createPayments({ branch, seconds = 900, ...options }: PaymentOptions) {
  const wallet = createWallet(options);
  const keyed = (key: string) => ({ header: { "Idempotency-Key": key } });

  /** Points of an amount of dirhams. Throws WalletRefusal (not_whole_points). */
  function pointsOf(dirhams: number, dirhamsPerPoint: number): number {
    const points = dirhams / dirhamsPerPoint;
    if (Number.isInteger(points) && points > 0) return points;
    const message = `The amount has to be a multiple of ${dirhamsPerPoint} dirhams, the value of a point.`;
    throw new WalletRefusal({ code: "not_whole_points", message });
  }

  async function terms() {
    const profile = await settled(() => wallet.GET("/profile"));
    if (!("branches" in profile)) throw new WalletRefusal({ code: "forbidden", message: "Use an API key." });
    const iBranchId = branch ?? profile.branches[0]?._id;
    if (!iBranchId) throw new WalletRefusal({ code: "branch_not_found", message: "The shop has no open branch." });
    return { iBranchId, dirhamsPerPoint: profile.iDirhamsPerPoint };
  }

  /** Undoes what was done with this key. What arrives later under it posts nothing. Good for 24 hours. */
  const giveUp = (key: string) =>
    settled(() => wallet.POST("/reversals", { body: { sIdempotencyKey: key } }));

  return {
    giveUp,

    /**
     * Reserves an amount on the card with this code: the text of its QR, or a live code. `proof`: the customer's mailed code,
     * which the wallet asks for above its limit (proof_required).
     */
    async authorise(input: { key: string; card: string; dirhams: number; proof?: string; order?: string }): Promise<Payment> {
      const { iBranchId, dirhamsPerPoint } = await terms();
      const body = {
        sCode: input.card,
        iBranchId,
        iPoints: pointsOf(input.dirhams, dirhamsPerPoint),
        iSeconds: seconds,
        ...(input.proof ? { sProof: input.proof } : {}),
        ...(input.order ? { sSaleRef: input.order } : {}),
      };
      try {
        const hold = await settled(() => wallet.POST("/holds", { params: keyed(input.key), body }));
        return { hold: hold._id, points: hold.iPoints };
      } catch (error) {
        // Nobody knows whether it was opened: it is not, after this.
        if (!(error instanceof WalletRefusal)) await giveUp(input.key);
        throw error;
      }
    },

    /** Takes what was reserved, all of it. Repeated, it answers the first result. */
    async capture({ hold, points }: Payment, key: string): Promise<Payment> {
      const params = { ...keyed(key), path: { id: hold } };
      const taken = await settled(() => wallet.POST("/holds/{id}/capture", { params, body: {} }));
      return { hold, points, capture: taken._id };
    },

    /** Gives back what is still reserved. */
    async cancel({ hold }: Pick<Payment, "hold">, key: string): Promise<void> {
      const params = { ...keyed(key), path: { id: hold } };
      await settled(() => wallet.POST("/holds/{id}/void", { params, body: {} }));
    },

    /** Returns a part of what was captured to the card. */
    async refund({ capture }: Payment, dirhams: number, key: string, sReason: string): Promise<string> {
      if (!capture) throw new WalletRefusal({ code: "not_refundable", message: "Nothing was captured yet." });
      const { dirhamsPerPoint } = await terms();
      const params = { ...keyed(key), path: { id: capture } };
      const body = { sPoints: pointsOf(dirhams, dirhamsPerPoint), sReason };
      return (await settled(() => wallet.POST("/transactions/{id}/refund", { params, body })))._id;
    },

    /** The state of what was reserved: open, captured, voided or lapsed. */
    async state(hold: string) {
      return (await settled(() => wallet.GET("/holds/{id}", { params: { path: { id: hold } } }))).eState;
    },
  };
}
