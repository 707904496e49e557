import { z } from "zod";
import { MOVEMENT_TYPES } from "@/lib/domain/movements";
import { PAPER_WIDTHS, type PaperLine, type PrintedReceipt } from "@/lib/domain/receipt";
import { TENDERS } from "@/lib/domain/tender";

const line = z.object({
  /** "title", "text", "code" and "qr" are the same in both languages (sText); "pair" has sEn and sAr; "rule" has no text. */
  eKind: z.enum(["title", "text", "code", "qr", "pair", "rule"]),
  eSize: z.enum(["label", "value", "figure", "copy"]).optional(),
  sText: z.string().optional(),
  sEn: z.string().optional(),
  sAr: z.string().optional(),
});

const shape = z.object({
  _id: z.string(),
  eType: z.enum(MOVEMENT_TYPES),
  /** How often it has been printed, this print included. */
  iPrints: z.number().int(),
  bCopy: z.boolean(),
  /** In millimetres. */
  iPaperWidth: z.union(PAPER_WIDTHS.map((width) => z.literal(width))),
  bOpensDrawer: z.boolean(),
  /** The address that the QR code opens. */
  sLink: z.string(),
  sMerchant: z.string(),
  sBranch: z.string().nullable(),
  sTill: z.string().nullable(),
  sCashier: z.string().nullable(),
  /** The user who posted a till's kept top-up from the inbox. */
  sResolver: z.string().nullable(),
  dOccurredAt: z.iso.datetime(),
  sCustomer: z.string().nullable(),
  sCustomerIdEnd: z.string(),
  /** Signed; sAmount is its value in QAR, iBonus the bonus part. */
  sPoints: z.number(),
  sAmount: z.string(),
  iBonus: z.number().int(),
  eTender: z.enum(TENDERS).nullable(),
  sSaleRef: z.string().nullable(),
  sBalance: z.number(),
  sCashValue: z.string(),
  /** The lines on the paper, from top to bottom, in both languages. */
  aLines: z.array(line),
});
export type ReceiptWire = z.output<typeof shape>;

function lineFrom(from: PaperLine): z.output<typeof line> {
  if (from.kind === "rule") return { eKind: from.kind };
  if (from.kind === "pair") return { eKind: from.kind, eSize: from.size, sEn: from.en, sAr: from.ar };
  return { eKind: from.kind, sText: from.text };
}

/** GET and POST transactions/{id}/receipt. */
const printedReceiptReply = {
  schema: shape,
  from: (receipt: PrintedReceipt): ReceiptWire => ({
    _id: receipt.id,
    eType: receipt.type,
    iPrints: receipt.prints,
    bCopy: receipt.copy,
    iPaperWidth: receipt.paperWidth,
    bOpensDrawer: receipt.opensDrawer,
    sLink: receipt.link,
    sMerchant: receipt.merchant,
    sBranch: receipt.branch,
    sTill: receipt.till,
    sCashier: receipt.cashier,
    sResolver: receipt.resolver,
    dOccurredAt: receipt.at.toISOString(),
    sCustomer: receipt.customer,
    sCustomerIdEnd: receipt.customerIdEnd,
    sPoints: receipt.points,
    sAmount: receipt.amount,
    iBonus: receipt.bonusPoints,
    eTender: receipt.tender,
    sSaleRef: receipt.saleRef,
    sBalance: receipt.balance,
    sCashValue: receipt.balanceValue,
    aLines: receipt.lines.map(lineFrom),
  }),
};

/** The calls of receipts, as both sides know them. */
export const receiptCalls = {
  viewReceipt: {
    method: "GET",
    path: "transactions/{id}/receipt",
    params: { id: "movementId" },
    reply: printedReceiptReply,
  },
  printReceipt: {
    method: "POST",
    path: "transactions/{id}/receipt",
    params: { id: "movementId" },
    reply: printedReceiptReply,
  },
} as const;
