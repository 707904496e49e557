import { getLocale } from "next-intl/server";
import type { SignUpMerchant } from "@/components/cards/sign-up/merchant-face";
import { publicPageContext } from "@/lib/api/page";
import { nullIfRefused } from "@/lib/domain/errors";
import { isId } from "@/lib/domain/is-id";
import { merchantName } from "@/lib/domain/localized-names";
import type { Locale } from "@/lib/domain/roles";
import { imageUrl, smallLogoUrl } from "@/lib/files/media-url";
import { signupMerchant } from "@/lib/merchants/lookups";
import type { SignupMerchant } from "@/lib/merchants/model/merchant";

/** The approved merchant of a sign-up link's id, and the part that a browser gets; null for any other. */
export async function merchantOfLink(id: unknown) {
  if (!isId(id)) return null;
  const ctx = await publicPageContext();
  const merchant = await signupMerchant(ctx, { merchantId: id.toLowerCase() }).catch(nullIfRefused);
  return merchant && { ...merchant, shown: shownMerchant(merchant, await getLocale()) };
}

/** Answers the part of a merchant that a browser gets, in the browser's language. */
export function shownMerchant(merchant: SignupMerchant, locale: Locale): SignUpMerchant {
  return {
    businessName: merchantName(merchant, locale),
    imageUrl: imageUrl(merchant.imageKey),
    logoUrl: smallLogoUrl(merchant.logoKey),
    colours: merchant.colours,
  };
}
