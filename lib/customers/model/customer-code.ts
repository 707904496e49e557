import { toLatinDigits } from "@/lib/domain/money";

// No vowels, so that no code is a word; no 0 and 1, which look like O and I. A CHECK of the database says the same.
export const CODE_LETTERS = "BCDFGHJKLMNPQRSTVWXYZ23456789";
export const CODE_LENGTH = 6;
const CODE = /^[B-DF-HJ-NP-TV-Z2-9]{6}$/;
const RECEIPT_NUMBER = /^([B-DF-HJ-NP-TV-Z2-9]{6})-([1-9]\d{0,8})$/;

/** A new code of a card, such as "K7M2QD", by chance. A unique key may refuse it: try again then. It opens nothing. */
export function newCustomerCode(): string {
  const chances = crypto.getRandomValues(new Uint32Array(CODE_LENGTH));
  return Array.from(chances, (chance) => CODE_LETTERS.charAt(chance % CODE_LETTERS.length)).join("");
}

const plain = (typed: string): string => toLatinDigits(typed.trim()).toUpperCase();

/** The code that somebody typed, in either case and with any digits; null for another text. */
export function parseCustomerCode(typed: string): string | null {
  const code = plain(typed);
  return CODE.test(code) ? code : null;
}

/** The Customer ID that people read: the code, or the public id until a card has one. */
export function customerNumber({ code, publicId }: { code: string | null; publicId: string }): string {
  return code ?? publicId;
}

/** The number of a receipt, such as "K7M2QD-14": the card's code and the movement's seq; its id until the card has a code. */
export function receiptNumber({ id, seq }: { id: string; seq: number }, code: string | null): string {
  return code === null ? id : `${code}-${seq}`;
}

/** The card's code and the movement's seq of a receipt's number that somebody typed; null for another text. */
export function parseReceiptNumber(typed: string): { code: string; seq: number } | null {
  const [, code, seq] = RECEIPT_NUMBER.exec(plain(typed)) ?? [];
  return code && seq ? { code, seq: Number(seq) } : null;
}
