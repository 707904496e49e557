import type { Answer } from "@/components/counter/types";
import type { PrintedReceipt } from "@/lib/receipts/model/receipt";

/** The fields of a receipt that the paper needs. */
export type PaperReceipt = Pick<
  PrintedReceipt,
  "id" | "prints" | "copy" | "paperWidth" | "opensDrawer" | "lines"
>;

/** The calls of receipts, passed in so that components know neither routes nor wire names. */
export type ReceiptApi = {
  /** The receipt as the next print would be. */
  view: (movementId: string) => Promise<Answer<PaperReceipt>>;
  /** Counts a print. The same key is the same print. */
  print: (movementId: string, key: string) => Promise<Answer<PaperReceipt>>;
};
