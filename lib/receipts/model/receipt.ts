import type { NoteGround } from "@/lib/cards/model/card-colours";
import type { MovementType } from "@/lib/ledger/model/movements";
import type { Tender } from "@/lib/ledger/model/tender";

/** The widths of receipt paper, in millimetres. */
export const PAPER_WIDTHS = [58, 80] as const;
export type PaperWidth = (typeof PAPER_WIDTHS)[number];

/** The movements that a receipt is printed of. */
const RECEIPT_TYPES = ["TOP_UP", "REDEEM", "REFUND", "REVERSAL"] as const satisfies MovementType[];
type ReceiptType = (typeof RECEIPT_TYPES)[number];

/** Whether a receipt is printed of a movement of this type. */
export const hasReceipt = (type: MovementType): type is ReceiptType =>
  RECEIPT_TYPES.some((known) => known === type);

/**
 * A line of a receipt, in both languages. "pair" has the English text at one edge and the Arabic text at the
 * other. "text" is the same in both languages, in the middle. "code" has Latin letters and digits. "qr" is
 * drawn as a QR code.
 */
export type PaperLine =
  | { kind: "title" | "text" | "code" | "qr"; text: string }
  | { kind: "pair"; size: "label" | "value" | "figure" | "copy"; en: string; ar: string }
  | { kind: "rule" };

/** A receipt as it is printed. Points are signed, amounts are in QAR ("350.00"). */
export type PrintedReceipt = {
  id: string;
  type: MovementType;
  /** How often it has been printed, this print included. */
  prints: number;
  /** Whether what is printed is a copy. */
  copy: boolean;
  paperWidth: PaperWidth;
  /** Whether the cash drawer opens with this print. */
  opensDrawer: boolean;
  /** The address in the QR code. It names no card. */
  link: string;
  merchant: string;
  logoKey: string | null;
  /** The ground of the head where it is printed in colours. */
  note: NoteGround;
  branch: string | null;
  till: string | null;
  cashier: string | null;
  /** The user who posted it from the inbox of a till's kept top-ups. */
  resolver: string | null;
  at: Date;
  /** The first name; null for a deleted card. */
  customer: string | null;
  /** The number that people read, such as "K7M2QD-14". */
  number: string;
  /** The Customer ID that people read; null until an old card has one. */
  customerCode: string | null;
  /** The last four characters of the public id. */
  customerIdEnd: string;
  points: number;
  amount: string;
  bonusPoints: number;
  tender: Tender | null;
  saleRef: string | null;
  balance: number;
  balanceValue: string;
  lines: PaperLine[];
};

// The first word of a name that has two words, such as عبد الرحمن or Abdul Rahman.
const BEGINNINGS = /^(?:عبد|أبو|ابو|أم|ام|abd|abdul|abdel|abd-el|abu|umm)$/i;

/** The first name of a full name. Names of two words, such as "عبد الرحمن", stay whole. */
export function firstNameOf(fullName: string): string {
  const [first = "", second] = fullName.trim().split(/\s+/);
  return second && BEGINNINGS.test(first) ? `${first} ${second}` : first;
}

/** A width as the database keeps it, where a CHECK allows these two only. */
export const paperWidthOf = (width: number): PaperWidth => (width === 58 ? 58 : 80);
