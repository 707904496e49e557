import type { PaperReceipt, ReceiptApi } from "@/components/receipts/types";
import type { PaperLine } from "@/lib/domain/receipt";
import type { ReceiptWire } from "@/lib/receipts/names";
import { callCounter } from "./counter-api";

type LineWire = ReceiptWire["aLines"][number];

function toLine({ eKind, eSize = "value", sText = "", sEn = "", sAr = "" }: LineWire): PaperLine {
  if (eKind === "rule") return { kind: eKind };
  if (eKind === "pair") return { kind: eKind, size: eSize, en: sEn, ar: sAr };
  return { kind: eKind, text: sText };
}

const toReceipt = (wire: ReceiptWire): PaperReceipt => ({
  id: wire._id,
  prints: wire.iPrints,
  copy: wire.bCopy,
  paperWidth: wire.iPaperWidth,
  opensDrawer: wire.bOpensDrawer,
  lines: wire.aLines.map(toLine),
});

/** The API calls of receipts, for the session with this handle. */
export function receiptApi(handle: string): ReceiptApi {
  const path = (movementId: string) => `transactions/${encodeURIComponent(movementId)}/receipt`;
  return {
    view: (movementId) => callCounter(handle, path(movementId), toReceipt),
    print: (movementId, key) =>
      callCounter(handle, path(movementId), toReceipt, {
        method: "POST",
        headers: { "Idempotency-Key": key },
      }),
  };
}
