import { api, mapAnswer, type ViewOf } from "@/lib/api/client";
import { counterCalls } from "@/lib/counter/names";
import { ledgerCalls } from "@/lib/ledger/names";

import type { CounterApi, CounterCustomer, CounterMovement, RecentMovement } from "./types";

type Served = Omit<CounterCustomer, "kept">;

/** A served customer with what the counter needs: no private id, which opens the card. */
export function toCounterCustomer(served: Served): CounterCustomer {
  const { publicId, fullName, email, phone, balance, held, cashValue, rate, limits, status, merchant } =
    served;
  const customer = { publicId, fullName, email, phone, balance, held, cashValue, rate, limits, status };
  if (!merchant) return { ...customer, merchant };
  const { id, businessName, businessNameAr, branches, tenders, askSaleRef, suspended } = merchant;
  return {
    ...customer,
    merchant: { id, businessName, businessNameAr, branches, tenders, askSaleRef, suspended },
  };
}

function toShown(movement: ViewOf<typeof ledgerCalls.topUp>): CounterMovement {
  const { actor: _actor, customer, ...shown } = movement;
  return { ...shown, customerName: customer.fullName };
}

function toRecent(rows: ViewOf<typeof ledgerCalls.recentTopUps>, serverNow: string | null): RecentMovement[] {
  const ahead = clockAhead(serverNow);
  return rows.map(({ reversedBy, ...row }) => ({
    ...toShown(row),
    undoUntil: onThisClock(row.undoUntil, ahead),
    left: row.left,
    reversed: reversedBy !== undefined,
  }));
}

/** The API calls of the counter, for the session with this handle. */
export function counterApi(handle: string, userId: string): CounterApi {
  const as = { session: handle };
  return {
    session: handle,
    user: userId,
    search: async (search, signal) =>
      mapAnswer(await api(counterCalls.findCustomers, { search }, { ...as, signal }), (hits) =>
        hits.map(({ id: _id, ...hit }) => hit),
      ),
    view: async (customerId) =>
      mapAnswer(await api(counterCalls.viewCustomer, { customerId }, as), toCounterCustomer),
    recent: async (mode) =>
      mapAnswer(
        await api(mode === "topup" ? ledgerCalls.recentTopUps : ledgerCalls.recentRedeems, {}, as),
        toRecent,
      ),
    findRedemptions: async (saleRef) =>
      mapAnswer(await api(ledgerCalls.findRedemptions, { saleRef }, as), toRecent),
    post: async (mode, posting, idempotencyKey) =>
      mapAnswer(
        await api(
          mode === "topup" ? ledgerCalls.topUp : ledgerCalls.redeem,
          { ...posting, idempotencyKey },
          as,
        ),
        toShown,
      ),
    undo: async (movementId, reason) =>
      mapAnswer(await api(ledgerCalls.reverse, { movementId, reason: reason ?? undefined }, as), toShown),
    giveUp: async (lostKey) => {
      // Hardly anybody needs it.
      const { holdCalls } = await import("@/lib/holds/names");
      return mapAnswer(await api(holdCalls.reverseLost, { lostKey }, as), ({ result }) => ({
        undone: result === "reversed",
      }));
    },
    sendCode: (customerId, points) => api(counterCalls.sendRedeemCode, { customerId, points }, as),
  };
}

/**
 * By how many milliseconds this device's clock is ahead of the server's, which said its time a moment ago; 0 where it said
 * none.
 */
export function clockAhead(serverNow: string | null): number {
  const ahead = Date.now() - Date.parse(serverNow ?? "");
  return Number.isNaN(ahead) ? 0 : ahead;
}

/** A moment of the server by this device's clock. */
export function onThisClock(moment: string | null, ahead: number): string | null {
  return moment && new Date(Date.parse(moment) + ahead).toISOString();
}
