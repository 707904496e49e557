import type { SignUpMerchant } from "@/components/sign-up/merchant-face";
import { DomainError } from "@/lib/domain/errors";
import { isId } from "@/lib/domain/is-id";
import { merchantName } from "@/lib/domain/merchant-name";
import type { Locale } from "@/lib/domain/roles";
import { publicPageContext } from "@/lib/http/page";
import { imageUrl } from "@/lib/http/wire/media";
import { type SignupMerchant, signupMerchant } from "@/lib/merchants/lookups";

/** The approved merchant of a sign-up link's id; null for any other. */
export async function merchantOfLink(id: unknown): Promise<SignupMerchant | null> {
  if (!isId(id)) return null;
  try {
    return await signupMerchant(await publicPageContext(), { merchantId: id.toLowerCase() });
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

/** What a browser gets of a merchant, in its language. */
export function shownMerchant(merchant: SignupMerchant, locale: Locale): SignUpMerchant {
  const { imageKey, logoKey, colours } = merchant;
  return {
    businessName: merchantName(merchant, locale),
    imageUrl: imageUrl(imageKey),
    logoUrl: imageUrl(logoKey),
    colours,
  };
}
