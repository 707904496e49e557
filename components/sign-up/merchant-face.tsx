"use client";

import { useTranslations } from "next-intl";
import { CardFace } from "@/components/card/face";
import type { CardColours } from "@/lib/domain/card-colours";

/** The merchant as its sign-up shows it. */
export type SignUpMerchant = {
  businessName: string;
  imageUrl: string | null;
  logoUrl: string | null;
  colours: CardColours;
};

/** The merchant's picture with its name, as on the card that the sign-up leads to. */
export function MerchantFace({
  merchant: { businessName, imageUrl, logoUrl, colours },
}: {
  merchant: SignUpMerchant;
}) {
  const t = useTranslations("customerSignup");
  return (
    <CardFace
      colours={colours}
      imageUrl={imageUrl}
      logoUrl={logoUrl}
      className="h-40 sm:h-52"
      title={
        <>
          <p>{businessName}</p>
          <p>{t("cardCaption")}</p>
        </>
      }
    />
  );
}
