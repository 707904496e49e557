import { useLocale } from "next-intl";
import { type BranchNames, branchName } from "@/lib/domain/branch-name";

/** The name of a branch in the reader's language. */
export function BranchName({ of }: { of: BranchNames }) {
  return <bdi>{branchName(of, useLocale())}</bdi>;
}
