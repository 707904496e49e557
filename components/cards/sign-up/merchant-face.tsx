"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { CardColours } from "@/lib/cards/model/card-colours";
import { CardFace, colourStyle } from "../face";

export type SignUpMerchant = {
  businessName: string;
  imageUrl: string | null;
  logoUrl: string | null;
  colours: CardColours;
};

/** Gives buttons the colour of the cards. A form inside stays, also when the merchant becomes known later. */
export function Branded({ colours, children }: { colours: CardColours | undefined; children: ReactNode }) {
  return (
    <div className={colours && "branded"} style={colours && colourStyle(colours)}>
      {children}
    </div>
  );
}

/** The merchant's picture with its name, as on the card that the sign-up leads to, and below it what the card says. */
export function MerchantFace({ merchant, children }: { merchant: SignUpMerchant; children?: ReactNode }) {
  const { businessName, imageUrl, logoUrl, colours } = merchant;
  const t = useTranslations("customerSignup");
  return (
    <CardFace
      colours={colours}
      imageUrl={imageUrl}
      logoUrl={logoUrl}
      className={children ? "grid-rows-[1fr_auto] aspect-[1.52]" : "face-head h-40 max-sm:low:h-27 sm:h-52"}
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
