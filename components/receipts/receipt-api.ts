import { api } from "@/lib/api/client";
import { receiptCalls } from "@/lib/receipts/names";
import type { ReceiptApi } from "./types";

/** The API calls of receipts, for the session with this handle. */
export function receiptApi(session: string): ReceiptApi {
  return {
    view: (movementId) => api(receiptCalls.viewReceipt, { movementId }, { session }),
    print: (movementId, idempotencyKey) =>
      api(receiptCalls.printReceipt, { movementId, idempotencyKey }, { session }),
  };
}
