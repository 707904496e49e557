import { z } from "zod";
import { idSchema } from "./ids";

/** What a check of the ledger found first: which rule, and the row that breaks it. */
export type Wrong = {
  what:
    | "seq"
    | "balance"
    | "pockets"
    | "bonus"
    | "time"
    | "type"
    | "reversal"
    | "refund"
    | "lots"
    | "text"
    | "customer"
    | "sums"
    | "chain"
    | "unsealed";
  movementId?: string;
  customerId?: string;
  /** Asia/Qatar, of a sum. */
  day?: string;
};

/** A run of the check of one merchant's ledger. `ok` is null while it runs, and when it ended without a verdict. */
export type LedgerCheck = {
  id: string;
  merchantId: string;
  state: "running" | "done";
  ok: boolean | null;
  movements: number;
  total: number;
  /** When the last seal was made; null: nothing is sealed yet. */
  sealedTo: Date | null;
  /** Of the last seal, in hexadecimal. */
  head: string | null;
  firstWrong: Wrong | null;
  startedAt: Date;
  finishedAt: Date | null;
};

/** Whose ledger: the own one, or the one that a super_admin names. */
export const ledgerCheckSchema = z.object({ merchantId: idSchema.optional() });
export type LedgerCheckQuery = z.output<typeof ledgerCheckSchema>;

/** A hash as people compare it: groups of four, the first `groups` of them (default: all). */
export function hexGroups(hex: string, groups = 16): string {
  return (hex.match(/.{1,4}/g) ?? []).slice(0, groups).join(" ");
}

/** The chain's head at the end of a day (Asia/Qatar), in hexadecimal, over `total` movements. */
export type LedgerDay = { day: string; total: number; head: string };
