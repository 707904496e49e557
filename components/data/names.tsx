import { useLocale } from "next-intl";
import { type BranchNames, branchName, type MerchantNames, merchantName } from "@/lib/domain/localized-names";

/** A person's name above their e-mail address. */
export function NameAndEmail({ of }: { of: { firstName: string; lastName: string; email: string } }) {
  const { firstName, lastName, email } = of;
  return (
    <>
      <bdi>{`${firstName} ${lastName}`}</bdi>
      <bdi className="sub mail" title={email}>
        {email}
      </bdi>
    </>
  );
}

/** The name of a branch in the reader's language. */
export function BranchName({ of }: { of: BranchNames }) {
  return <bdi>{branchName(of, useLocale())}</bdi>;
}

/** The name of a merchant in the reader's language. */
export function MerchantName({ of }: { of: MerchantNames }) {
  return <bdi>{merchantName(of, useLocale())}</bdi>;
}
