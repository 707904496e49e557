import { z } from "zod";
import { fields, instant, list } from "@/lib/calls/codec";
import { faceFields } from "@/lib/calls/fields";
import { MOVEMENT_TYPES } from "@/lib/ledger/model/movements";
import { TENDERS } from "@/lib/ledger/model/tender";
import { PAPER_WIDTHS, type PaperLine } from "./model/receipt";

const line = z.object({
  /** "title", "text", "code" and "qr" are the same in both languages (sText); "pair" has sEn and sAr; "rule" has no text. */
  eKind: z.enum(["title", "text", "code", "qr", "pair", "rule"]),
  eSize: z.enum(["label", "value", "figure", "copy"]).optional(),
  sText: z.string().optional(),
  sEn: z.string().optional(),
  sAr: z.string().optional(),
});

const paperLine = {
  schema: line,
  from: (from: PaperLine): z.output<typeof line> => {
    if (from.kind === "rule") return { eKind: from.kind };
    if (from.kind === "pair") return { eKind: from.kind, eSize: from.size, sEn: from.en, sAr: from.ar };
    return { eKind: from.kind, sText: from.text };
  },
  view: ({ eKind, eSize = "value", sText = "", sEn = "", sAr = "" }: z.output<typeof line>): PaperLine => {
    if (eKind === "rule") return { kind: eKind };
    if (eKind === "pair") return { kind: eKind, size: eSize, en: sEn, ar: sAr };
    return { kind: eKind, text: sText };
  },
};

const printedReceiptReply = fields({
  _id: ["id", z.string()],
  eType: ["type", z.enum(MOVEMENT_TYPES)],
  /** How often it has been printed, this print included. */
  iPrints: ["prints", z.number().int()],
  bCopy: ["copy", z.boolean()],
  /** In millimetres. */
  iPaperWidth: ["paperWidth", z.union(PAPER_WIDTHS.map((width) => z.literal(width)))],
  bOpensDrawer: ["opensDrawer", z.boolean()],
  /** The address that the QR code opens. It names no card. */
  sLink: ["link", z.string()],
  sMerchant: ["merchant", z.string()],
  ...faceFields,
  sBranch: ["branch", z.string().nullable()],
  sTill: ["till", z.string().nullable()],
  sCashier: ["cashier", z.string().nullable()],
  /** The user who posted a till's kept top-up from the inbox. */
  sResolver: ["resolver", z.string().nullable()],
  dOccurredAt: ["at", instant],
  /** The first name; null for a deleted card. */
  sCustomer: ["customer", z.string().nullable()],
  /** The card's code and which of its movements this is, such as "K7M2QD-14". */
  sReceiptNumber: ["number", z.string()],
  /** The Customer ID that people read; null until an old card has one. */
  sCode: ["customerCode", z.string().nullable()],
  /** The last four characters of sUUID. */
  sCustomerIdEnd: ["customerIdEnd", z.string()],
  /** Signed; sAmount is its value in QAR, iBonus the bonus part. */
  sPoints: ["points", z.number()],
  sAmount: ["amount", z.string()],
  iBonus: ["bonusPoints", z.number().int()],
  eTender: ["tender", z.enum(TENDERS).nullable()],
  sSaleRef: ["saleRef", z.string().nullable()],
  sBalance: ["balance", z.number()],
  sCashValue: ["balanceValue", z.string()],
  aLines: ["lines", list(paperLine)],
});

/** A receipt as it is printed. Points are signed, amounts are in QAR ("350.00"). */
export type PrintedReceipt = Parameters<typeof printedReceiptReply.from>[0];

const receipt = {
  path: "transactions/{id}/receipt",
  params: { id: "movementId" },
  reply: printedReceiptReply,
} as const;

export const receiptCalls = {
  viewReceipt: { method: "GET", ...receipt },
  printReceipt: { method: "POST", ...receipt },
} as const;
