import { clockAhead, onThisClock } from "@/components/counter/server-clock";
import type {
  Answer,
  CounterApi,
  CounterCustomer,
  CounterMovement,
  CounterPosting,
  RecentMovement,
} from "@/components/counter/types";
import { confirmIdentity } from "@/components/session/step-up";
import { tillFetch } from "@/components/till-device/till-fetch";
import type { CustomerHitWire, FoundCustomerWire, ViewedCustomerWire } from "@/lib/counter/names";
import { TUNNEL_HEADER } from "@/lib/domain/paths";
import type { MovementWire } from "@/lib/ledger/names";

// Timeout in milliseconds. Afterwards the answer counts as lost, and the request may be sent again.
const TIMEOUT_MS = 15_000;

type Envelope = { data?: unknown; code?: string; message?: string };

/**
 * Answers the fields that a search row and an opened customer share. It drops the private id that owners get.
 */
function toFound(wire: FoundCustomerWire) {
  return {
    publicId: wire.sUUID,
    fullName: wire.sFullName,
    email: wire.sEmail,
    phone: wire.sPhoneNumber,
    balance: wire.sBalance,
    cashValue: wire.sCashValue,
  };
}

function toCustomer(wire: ViewedCustomerWire): CounterCustomer {
  const { _id, sBusinessName, sBusinessNameAr, branches, aTenders, bAskSaleRef, bSuspended } =
    wire.iMerchantId;
  return {
    ...toFound(wire),
    rate: wire.iDirhamsPerPoint,
    limits: {
      minTopUp: wire.oLimits.iMinTopup,
      maxTopUp: wire.oLimits.iMaxTopup,
      maxBalance: wire.oLimits.iMaxBalance,
      unconfirmed: wire.oLimits.iUnconfirmedRedeem,
    },
    status: wire.eStatus,
    merchant: {
      id: _id,
      businessName: sBusinessName,
      businessNameAr: sBusinessNameAr,
      branches: branches.map((branch) => ({ id: branch._id, name: branch.sBranchName, city: branch.sCity })),
      tenders: aTenders,
      askSaleRef: bAskSaleRef,
      suspended: bSuspended,
    },
  };
}

function toMovement(wire: MovementWire): CounterMovement {
  return {
    id: wire._id,
    type: wire.eType,
    points: wire.sPoints,
    pointsValue: wire.sPointsValue,
    paid: wire.iPaid,
    bonus: wire.iBonus,
    tender: wire.eTender,
    saleRef: wire.sSaleRef,
    balance: wire.sBalance,
    cashValue: wire.sCashValue,
    createdAt: wire.dCreatedAt,
    customerName: wire.customer.sFullName,
    branchName: wire.branch?.sBranchName ?? "",
    undoUntil: wire.undoUntil,
  };
}

type RecentWire = { results: (MovementWire & { iLeftToRefund: number; reversedBy?: unknown })[] };

const toRecent = (wire: RecentWire, serverNow: string | null): RecentMovement[] =>
  wire.results.map((row) => ({
    ...toMovement(row),
    undoUntil: onThisClock(row.undoUntil, clockAhead(serverNow)),
    left: row.iLeftToRefund,
    reversed: row.reversedBy !== undefined,
  }));

function toBody({ customerId, points, branchId, merchantId, ...more }: CounterPosting) {
  const { proof, tender, saleRef } = more;
  const at = { customerId, sPoints: points, iBranchId: branchId, iMerchantId: merchantId };
  return { ...at, sProof: proof, eTender: tender, sSaleRef: saleRef };
}

/**
 * Calls the API. The outcome is unknown ("lost") after a 5xx or without an answer; a 4xx is a definite refusal. `parse`
 * also gets when the server answered, by its own clock.
 */
export async function callCounter<W, T>(
  handle: string,
  path: string,
  parse: (wire: W, serverNow: string | null) => T,
  init: RequestInit = {},
): Promise<Answer<T>> {
  try {
    const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(init.signal ? [init.signal] : [])]);
    const headers = new Headers({
      Authorization: handle,
      "Content-Type": "application/json",
      ...TUNNEL_HEADER,
    });
    new Headers(init.headers).forEach((value, name) => {
      headers.set(name, value);
    });
    const response = await tillFetch(`/api/${path}`, { ...init, headers, signal, cache: "no-store" });
    if (response.status === 401 || response.status === 417) {
      return { kind: "signedOut", ended: response.status === 417 };
    }
    const body = (await response.json()) as Envelope;
    if (response.ok) return { kind: "ok", data: parse(body.data as W, response.headers.get("date")) };
    // The same request again, with the same key.
    if (body.code === "step_up_required" && (await confirmIdentity())) {
      return await callCounter(handle, path, parse, init);
    }
    if (response.status >= 500) return { kind: "lost" };
    return { kind: "refused", code: body.code ?? "", message: body.message ?? "" };
  } catch {
    // Offline, timed out, an incomplete answer or one of a gateway; unless the caller gave it up.
    return { kind: "lost", ...(init.signal?.aborted ? {} : { noAnswer: true }) };
  }
}

/** The API calls of the counter, for the session with this handle. */
export function counterApi(handle: string, userId: string): CounterApi {
  const post = (body: unknown, key?: string): RequestInit => ({
    method: "POST",
    body: JSON.stringify(body),
    headers: key ? { "Idempotency-Key": key } : {},
  });
  return {
    session: handle,
    user: userId,
    search: (term, signal) =>
      callCounter(
        handle,
        `top-up-points/search-customers?search=${encodeURIComponent(term)}`,
        (wire: CustomerHitWire[]) =>
          wire.map((hit) => ({
            ...toFound(hit),
            businessName: hit.sBusinessName,
            businessNameAr: hit.sBusinessNameAr,
          })),
        { signal },
      ),
    view: (id) => callCounter(handle, `customer-management/view/${encodeURIComponent(id)}`, toCustomer),
    recent: (mode) => callCounter(handle, mode === "topup" ? "recent-top-ups" : "recent-redeems", toRecent),
    findRedemptions: (saleRef) =>
      callCounter(handle, `redeem-points/find?sSaleRef=${encodeURIComponent(saleRef)}`, toRecent),
    post: (mode, posting, key) =>
      callCounter(
        handle,
        mode === "topup" ? "top-up-points" : "redeem-points",
        toMovement,
        post(toBody(posting), key),
      ),
    undo: (movementId, reason) =>
      callCounter(
        handle,
        `transactions/${movementId}/reverse`,
        toMovement,
        post({ sReason: reason ?? undefined }),
      ),
    sendCode: (customerId, points) =>
      callCounter(
        handle,
        "redeem-points/code",
        ({ sSentTo }: { sSentTo: string }) => ({ sentTo: sSentTo }),
        post({ customerId, sPoints: points }),
      ),
  };
}
