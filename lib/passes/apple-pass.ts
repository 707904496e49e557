import { PKPass } from "passkit-generator";
import { cashValue } from "@/lib/domain/money";
import { direction, LOCALES, type Locale } from "@/lib/domain/roles";
import { env } from "@/lib/env";
import { translator } from "@/lib/i18n/translate";
import type { AppleSettings } from "./apple-settings";
import { brandColor, passImages } from "./images";
import type { PassCard } from "./pass-card";

// The keys of pass.strings: every language says each of them.
const STRINGS = [
  "cash",
  "worth",
  "member",
  "since",
  "cardId",
  "merchant",
  "balanceChanged",
  "about",
  "aboutText",
] as const;

function strings(locale: Locale): Record<string, string> {
  const t = translator(locale);
  // Apple puts the new value where it finds %@.
  return Object.fromEntries(STRINGS.map((key) => [key, t(`pass.${key}`, { value: "%@" })]));
}

/** The link in a pass's QR: identifies the card only, so a picture of it redeems nothing beyond the day's allowance. */
export function printedLink(publicId: string, source: "apple" | "google"): string {
  return `${env().APP_URL}/topup/${publicId}?src=${source}`;
}

function writeFields(pass: PKPass, card: PassCard): void {
  pass.type = "storeCard";
  pass.headerFields.push({
    key: "balance",
    label: "cash",
    value: card.balance,
    changeMessage: "balanceChanged",
  });
  pass.secondaryFields.push(
    { key: "member", label: "member", value: card.fullName },
    {
      key: "worth",
      label: "worth",
      value: Number(cashValue(card.balance, card.dirhamsPerPoint)),
      currencyCode: "QAR",
      textAlignment: direction(card.locale) === "rtl" ? "PKTextAlignmentLeft" : "PKTextAlignmentRight",
    },
  );
  pass.backFields.push(
    { key: "merchant", label: "merchant", value: card.merchant.businessName },
    { key: "card", label: "cardId", value: card.publicId },
    { key: "since", label: "since", value: card.registeredAt.toISOString(), dateStyle: "PKDateStyleMedium" },
    { key: "about", label: "about", value: "aboutText" },
  );
  pass.setBarcodes({
    format: "PKBarcodeFormatQR",
    message: printedLink(card.publicId, "apple"),
    messageEncoding: "iso-8859-1",
    altText: card.publicId.slice(0, 8).toUpperCase(),
  });
}

/** The signed .pkpass of a card, in English and Arabic. `image` is the merchant's picture, if there is one. */
export async function buildApplePass(
  card: PassCard,
  settings: AppleSettings,
  image: Uint8Array | null,
): Promise<Buffer> {
  const colors = brandColor(card.merchant.businessName);
  const pass = new PKPass(await passImages(card.merchant.businessName, image), settings.certificates, {
    formatVersion: 1,
    passTypeIdentifier: settings.passTypeIdentifier,
    teamIdentifier: settings.teamIdentifier,
    serialNumber: card.serial,
    organizationName: card.merchant.businessName,
    description: `${card.merchant.businessName} · ${translator(card.locale)("pass.description")}`,
    logoText: card.merchant.businessName,
    backgroundColor: colors.background,
    foregroundColor: colors.foreground,
    labelColor: "rgb(226,232,240)",
    authenticationToken: card.authToken,
    webServiceURL: `${env().APP_URL}/api/wallet`,
    sharingProhibited: true,
    ...(card.voided ? { voided: true } : {}),
  });
  writeFields(pass, card);
  for (const locale of LOCALES) pass.localize(locale, strings(locale));
  return pass.getAsBuffer();
}
