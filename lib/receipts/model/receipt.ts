import type { MovementType } from "@/lib/ledger/model/movements";

/** The widths of receipt paper, in millimetres. */
export const PAPER_WIDTHS = [58, 80] as const;
export type PaperWidth = (typeof PAPER_WIDTHS)[number];

const RECEIPT_TYPES: readonly MovementType[] = ["TOP_UP", "REDEEM", "REFUND", "REVERSAL"];

/** Whether a receipt is printed of a movement of this type. */
export const hasReceipt = (type: MovementType): boolean => RECEIPT_TYPES.includes(type);

/** "pair" has English at one edge and Arabic at the other; other texts are the same in both languages. */
export type PaperLine =
  | { kind: "title" | "text" | "code" | "qr"; text: string }
  | { kind: "pair"; size: "label" | "value" | "figure" | "copy"; en: string; ar: string }
  | { kind: "rule" };

// The first word of a name that has two words, such as عبد الرحمن or Abdul Rahman.
const BEGINNINGS = /^(?:عبد|أبو|ابو|أم|ام|abd|abdul|abdel|abd-el|abu|umm)$/i;

/** The first name of a full name. Names of two words, such as "عبد الرحمن", stay whole. */
export function firstNameOf(fullName: string): string {
  const [first = "", second] = fullName.trim().split(/\s+/);
  return second && BEGINNINGS.test(first) ? `${first} ${second}` : first;
}

/** A width as the database keeps it, where a CHECK allows these two only. */
export const paperWidthOf = (width: number): PaperWidth => (width === 58 ? 58 : 80);
