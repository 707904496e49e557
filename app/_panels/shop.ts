import type { Shop } from "@/components/layout/shop-mark";
import type { PageContext } from "@/lib/api/page";
import { merchantName } from "@/lib/domain/merchant-name";
import { imageUrl } from "@/lib/files/media-url";

/** The shop of the signed-in user, in the user's language; null for administrators. */
export function shopOf({ actor, locale }: Pick<PageContext, "actor" | "locale">): Shop | null {
  const { merchantName: businessName, merchantNameAr: businessNameAr, merchantLogoKey } = actor;
  if (businessName === null) return null;
  return { name: merchantName({ businessName, businessNameAr }, locale), logoUrl: imageUrl(merchantLogoKey) };
}
