import type { CardColours } from "./model/card-colours";

/** In points of 1/72 inch. */
export const CARD = { width: 499, height: 314, radius: 20 };
export const QR_SIDE = 150;
export const LOGO_SIDE = 44;

/** The content of the page in its language. Images are data URLs. */
export type CardSheet = {
  rtl: boolean;
  title: string;
  businessName: string;
  person: string;
  colours: CardColours;
  background: string | null;
  logo: string | null;
  qr: string;
  scan: string;
  cashCaption: string;
  cash: string;
  points: string;
  holderCaption: string;
  holder: string;
  sinceCaption: string;
  since: string;
  detailsTitle: string;
  details: { label: string; value: string }[];
  hint: string;
};
