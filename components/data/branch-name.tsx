import { useLocale } from "next-intl";
import { type BranchNames, branchName } from "@/lib/domain/branch-name";
import type { Locale } from "@/lib/domain/roles";

/** The name of a branch in the reader's language. */
export function BranchName({ of }: { of: BranchNames }) {
  return <bdi>{branchName(of, useLocale() as Locale)}</bdi>;
}
