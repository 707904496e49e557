import type { Locale } from "./roles";

export type BranchNames = { name: string; nameAr?: string | null };

export type BranchRef = BranchNames & { id: string };

export const BRANCH_REF = { id: true, name: true, nameAr: true } as const;

/** The name of a branch in this language: the Arabic one in Arabic, where the branch has it. */
export const branchName = ({ name, nameAr }: BranchNames, locale: Locale): string =>
  (locale === "ar" && nameAr) || name;

export type MerchantNames = { businessName: string; businessNameAr: string | null };

export type MerchantRef = MerchantNames & { id: string };

export const MERCHANT_NAMES = { businessName: true, businessNameAr: true } as const;
export const MERCHANT_REF = { id: true, ...MERCHANT_NAMES } as const;

/** The name of a merchant in this language: the Arabic one in Arabic, where the merchant has it. */
export function merchantName({ businessName, businessNameAr }: MerchantNames, locale: Locale): string {
  return (locale === "ar" && businessNameAr) || businessName;
}

/** All names of a merchant, the English one first, for what is printed in both languages. */
export function merchantNames({ businessName, businessNameAr }: MerchantNames): string[] {
  return businessNameAr && businessNameAr !== businessName ? [businessName, businessNameAr] : [businessName];
}
