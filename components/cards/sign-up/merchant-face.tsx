"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { CardColours } from "@/lib/cards/model/card-colours";
import { CardFace, colourStyle } from "../face";

/** The merchant as its sign-up shows it. */
export type SignUpMerchant = {
  businessName: string;
  imageUrl: string | null;
  logoUrl: string | null;
  colours: CardColours;
};

/**
 * Gives the buttons of a form the colour of the merchant's cards, which white text is readable on. The form stays the same
 * one when the merchant becomes known later.
 */
export function Branded({ colours, children }: { colours: CardColours | undefined; children: ReactNode }) {
  return (
    <div className={colours && "branded"} style={colours && colourStyle(colours)}>
      {children}
    </div>
  );
}

/** On a short phone, so that the whole form is on the first screen: the logo stands beside the name. */
const LOW =
  "max-sm:low:h-27 max-sm:low:[&_.face-logo]:start-auto max-sm:low:[&_.face-logo]:end-5 max-sm:low:[&_.face-title]:pe-20";

/** The merchant's picture with its name, as on the card that the sign-up leads to, and below it what the card says. */
export function MerchantFace({
  merchant: { businessName, imageUrl, logoUrl, colours },
  children,
}: {
  merchant: SignUpMerchant;
  children?: ReactNode;
}) {
  const t = useTranslations("customerSignup");
  return (
    <CardFace
      colours={colours}
      imageUrl={imageUrl}
      logoUrl={logoUrl}
      className={children ? "grid-rows-[1fr_auto] aspect-[1.52]" : `h-40 sm:h-52 ${LOW}`}
      title={
        <>
          <p dir="auto">{businessName}</p>
          <p>{t("cardCaption")}</p>
        </>
      }
    >
      {children}
    </CardFace>
  );
}
