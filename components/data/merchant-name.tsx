import { useLocale } from "next-intl";
import { type MerchantNames, merchantName } from "@/lib/domain/merchant-name";

/** The name of a merchant in the reader's language. */
export function MerchantName({ of }: { of: MerchantNames }) {
  return <bdi>{merchantName(of, useLocale())}</bdi>;
}
