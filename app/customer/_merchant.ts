import type { SignUpMerchant } from "@/components/cards/sign-up/merchant-face";
import { publicPageContext } from "@/lib/api/page";
import { nullIfRefused } from "@/lib/domain/errors";
import { isId } from "@/lib/domain/is-id";
import { merchantName } from "@/lib/domain/merchant-name";
import type { Locale } from "@/lib/domain/roles";
import { imageUrl, smallLogoUrl } from "@/lib/files/media-url";
import { signupMerchant } from "@/lib/merchants/lookups";
import type { SignupMerchant } from "@/lib/merchants/model/merchant";

/** The approved merchant of a sign-up link's id; null for any other. */
export async function merchantOfLink(id: unknown): Promise<SignupMerchant | null> {
  if (!isId(id)) return null;
  return signupMerchant(await publicPageContext(), { merchantId: id.toLowerCase() }).catch(nullIfRefused);
}

/** Answers the part of a merchant that a browser gets, in the browser's language. */
export function shownMerchant(merchant: SignupMerchant, locale: Locale): SignUpMerchant {
  const { imageKey, logoKey, colours } = merchant;
  return {
    businessName: merchantName(merchant, locale),
    imageUrl: imageUrl(imageKey),
    logoUrl: smallLogoUrl(logoKey),
    colours,
  };
}
