import { z } from "zod";
import { idSchema } from "@/lib/domain/ids";

/** The first violation that a check of the ledger found: the rule, and the row that violates it. */
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
    | "key"
    | "holds"
    | "customer"
    | "sums"
    | "chain"
    | "config"
    | "unsealed";
  movementId?: string;
  customerId?: string;
  /** The day (Asia/Qatar) of a wrong sum. */
  day?: string;
  /** The version of the points configuration, the merchant's own or the platform's. */
  configId?: string;
  version?: number;
};

/** Selects the ledger of the actor's own merchant, or of one chosen by a super_admin. */
export const ledgerCheckSchema = z.object({ merchantId: idSchema.optional() });

/** A hash for comparison by eye: groups of four digits. */
export function hexGroups(hex: string): string {
  return (hex.match(/.{1,4}/g) ?? []).join(" ");
}

/** The head of the chain at the end of a day (Asia/Qatar), in hexadecimal, after `total` movements. */
export type LedgerDay = { day: string; total: number; head: string };
