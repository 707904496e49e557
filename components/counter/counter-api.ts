import { api, mapAnswer, type ViewOf } from "@/lib/api/client";
import type { counterCalls, MerchantChoice } from "@/lib/counter/names";
import type { ledgerCalls } from "@/lib/ledger/names";
import type { CounterApi, CounterCustomer, CounterMovement, FirstRecent, RecentMovement } from "./types";

// The counter shows itself first: names and their schemas are a quarter of its script.
const counter = async <Name extends keyof typeof counterCalls>(name: Name) =>
  (await import("@/lib/counter/names")).counterCalls[name];
const ledger = async <Name extends keyof typeof ledgerCalls>(name: Name) =>
  (await import("@/lib/ledger/names")).ledgerCalls[name];

/** A served customer with what the counter needs: no private id, which opens the card. */
export function toCounterCustomer(served: CounterCustomer & { merchant: MerchantChoice }): CounterCustomer {
  const { publicId, fullName, email, phone, balance, held, cashValue, rate, limits, status } = served;
  const { id, businessName, businessNameAr, branches, tenders, askSaleRef, suspended } = served.merchant;
  const merchant = { id, businessName, businessNameAr, branches, tenders, askSaleRef, suspended };
  return { publicId, fullName, email, phone, balance, held, cashValue, rate, limits, status, merchant };
}

function toShown(movement: ViewOf<typeof ledgerCalls.topUp>): CounterMovement {
  const { actor: _actor, customer, ...shown } = movement;
  return { ...shown, customerName: customer.fullName };
}

type RecentRows = ViewOf<typeof ledgerCalls.recentTopUps>;

/** Rows of an answer as the list shows them, still by the server's clock. */
export function toListed(rows: RecentRows): RecentMovement[] {
  return rows.map(({ reversedBy, ...row }) => ({
    ...toShown(row),
    left: row.left,
    reversed: reversedBy !== undefined,
  }));
}

/** Rows by this device's clock, which is `ahead` of the server's (clockAhead); none can be undone where that is null. */
export function byThisClock(rows: RecentMovement[], ahead: number | null): RecentMovement[] {
  return rows.map(({ undoUntil, ...row }) => ({
    ...row,
    undoUntil: undoUntil && ahead !== null ? new Date(Date.parse(undoUntil) + ahead).toISOString() : null,
  }));
}

const toRecent = (rows: RecentRows, serverNow: string | null): RecentMovement[] =>
  byThisClock(toListed(rows), clockAhead(serverNow));

/** The API calls of the counter, for the session with this handle. */
export function counterApi(handle: string, userId: string, first?: FirstRecent): CounterApi {
  const as = { session: handle };
  return {
    session: handle,
    user: userId,
    ...(first && { first }),
    search: async (search, signal) => {
      const answer = await api(counter("findCustomers"), { search }, { ...as, signal });
      return mapAnswer(answer, (hits) => hits.map(({ id: _id, ...hit }) => hit));
    },
    view: async (customerId) =>
      mapAnswer(await api(counter("viewCustomer"), { customerId }, as), toCounterCustomer),
    recent: async (mode) =>
      mapAnswer(await api(ledger(mode === "topup" ? "recentTopUps" : "recentRedeems"), {}, as), toRecent),
    findRedemptions: async (saleRef) =>
      mapAnswer(await api(ledger("findRedemptions"), { saleRef }, as), toRecent),
    post: async (mode, posting, idempotencyKey) => {
      const call = ledger(mode === "topup" ? "topUp" : "redeem");
      return mapAnswer(await api(call, { ...posting, idempotencyKey }, as), toShown);
    },
    undo: async (movementId, reason) =>
      mapAnswer(await api(ledger("reverse"), { movementId, reason: reason ?? undefined }, as), toShown),
    giveUp: async (lostKey) => {
      const call = import("@/lib/holds/names").then(({ holdCalls }) => holdCalls.reverseLost);
      const answer = await api(call, { lostKey }, as);
      return mapAnswer(answer, ({ result }) => ({ undone: result === "reversed" }));
    },
    sendCode: (customerId, points) => api(counter("sendRedeemCode"), { customerId, points }, as),
  };
}

/** By how many milliseconds this device's clock is ahead of the server's time of a moment ago; 0 where none is known. */
export function clockAhead(serverNow: string | null): number {
  const ahead = Date.now() - Date.parse(serverNow ?? "");
  return Number.isNaN(ahead) ? 0 : ahead;
}
