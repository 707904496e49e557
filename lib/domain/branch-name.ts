import type { Locale } from "./roles";

export type BranchNames = { name: string; nameAr?: string | null };

export type BranchRef = BranchNames & { id: string };

export const BRANCH_REF = { id: true, name: true, nameAr: true } as const;

/** The name of a branch in this language: the Arabic one in Arabic, where the branch has it. */
export const branchName = ({ name, nameAr }: BranchNames, locale: Locale): string =>
  (locale === "ar" && nameAr) || name;
