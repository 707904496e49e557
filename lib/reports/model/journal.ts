import type { MerchantNames } from "@/lib/domain/merchant-name";

/** One line of a movement in double entry. A positive amount is a debit; the lines of a movement add up to zero. */
export type JournalLine = MerchantNames & {
  movementId: string;
  createdAt: Date;
  type: string;
  account:
    | "tender"
    | "customers_paid"
    | "customers_bonus"
    | "bonus_expense"
    | "redeemed"
    | "expired"
    | "imported"
    | "adjustments";
  tender: string | null;
  branchName: string | null;
  points: number;
  dirhams: bigint;
};

// In journal formats, a colon separates an account from its parent, and two spaces end its name.
const part = (name: string) => name.replace(/[:;\s]+/g, " ").trim();

/** The full name of a line's account, from the top level down. */
export function accountName({ account, tender, branchName }: JournalLine): string {
  const branch = branchName ? [part(branchName)] : [];
  const names = {
    tender: ["assets", "tender", tender ?? "other", ...branch],
    customers_paid: ["liabilities", "customers", "paid"],
    customers_bonus: ["liabilities", "customers", "bonus"],
    bonus_expense: ["expenses", "bonus"],
    redeemed: ["income", "redeemed", ...branch],
    expired: ["income", "expired"],
    imported: ["equity", "imported"],
    adjustments: ["equity", "adjustments"],
  };
  return names[account].join(":");
}
