import { PKPass } from "passkit-generator";
import sharp from "sharp";
import { type CardColours, SOFT_INK } from "@/lib/cards/model/card-colours";
import { customerNumber } from "@/lib/customers/model/customer-code";
import { DomainError } from "@/lib/domain/errors";
import { byIdSchema } from "@/lib/domain/ids";
import { branchName, merchantName } from "@/lib/domain/localized-names";
import { cashValue, formatQar } from "@/lib/domain/money";
import { DEFAULT_LOCALE, direction, LOCALES, type Locale } from "@/lib/domain/roles";
import { formatDay, formatUntil } from "@/lib/domain/time";
import { env } from "@/lib/env";
import { readImage } from "@/lib/files/attach";
import { readLogo } from "@/lib/files/logo";
import { drawNote } from "@/lib/files/note";
import { CATALOGUES, type Messages, translator } from "@/lib/i18n/translate";
import { remembering } from "@/lib/observe/once";
import { operation, stranger } from "@/lib/operations/operation";
import { type AppleSettings, appleSettings } from "./apple-settings";
import { type PassCard, passOfCard } from "./pass-card";

type Size = { name: string; width: number; height: number };

const scales = (name: string, width: number, height: number): Size[] =>
  [1, 2, 3].map((scale) => ({
    name: scale === 1 ? `${name}.png` : `${name}@${scale}x.png`,
    width: width * scale,
    height: height * scale,
  }));

// Apple's sizes in points: icon 29, logo up to 160 × 50, a store card's strip 375 × 144.
const ICONS = scales("icon", 29, 29);
const LOGOS = scales("logo", 50, 50);
const STRIP = { width: 375, height: 144, scale: 3 };
const STRIPS = scales("strip", STRIP.width, STRIP.height);

const resizeImage = (source: Buffer, { width, height }: Size): Promise<Buffer> =>
  sharp(source).resize(width, height, { fit: "cover" }).png().toBuffer();

/** All images by file name: icon and logo from the logo, the rest from the image, or else the banknote. */
async function passImages(
  colours: CardColours,
  image: Uint8Array | null,
  logo: Buffer | null,
): Promise<Record<string, Buffer>> {
  const strip = await drawNote(colours, image, STRIP);
  const picture = image ? Buffer.from(image) : strip;
  const entries = [
    ...[...ICONS, ...LOGOS].map((size) => ({ size, of: logo ?? picture })),
    ...STRIPS.map((size) => ({ size, of: strip })),
  ];
  return Object.fromEntries(
    await Promise.all(entries.map(async ({ size, of }) => [size.name, await resizeImage(of, size)] as const)),
  );
}

const STRINGS = Object.keys(CATALOGUES.en.pass) as (keyof Messages["pass"])[];

const describedAs = (locale: Locale, { merchant }: PassCard): string =>
  `${merchantName(merchant, locale)} · ${translator(locale)("pass.description")}`;

/** A text in a .strings file, where quotes, backslashes and line ends are escaped. */
const quoted = (text: string): string => text.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n");

function strings(locale: Locale, card: PassCard): Record<string, string> {
  const t = translator(locale);
  const texts = {
    // A reader without languages shows the key, so these are the names themselves.
    [card.merchant.businessName]: merchantName(card.merchant, locale),
    [describedAs(DEFAULT_LOCALE, card)]: describedAs(locale, card),
    // Apple replaces %@ by the new value.
    ...Object.fromEntries(STRINGS.map((key) => [key, t(`pass.${key}`, { value: "%@" })])),
    ...Object.fromEntries(remarks(locale, card).map(({ key, text }) => [`${key}Text`, text])),
  };
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [quoted(key), quoted(text)]));
}

/** The sentences of a pass below its balance: the bonus that expires next, and each open hold, where and until when. */
export function remarks(locale: Locale, { dirhamsPerPoint, endsNext, holds }: PassCard) {
  const t = translator(locale);
  const worth = (points: number) => formatQar(cashValue(points, dirhamsPerPoint), locale);
  const ends = endsNext
    ? t("card.endsNext", { amount: worth(endsNext.points), day: formatDay(endsNext.day, locale) })
    : "";
  const held = holds.map(({ points, branch, until }) =>
    t("holds.reserved", {
      amount: worth(points),
      branch: branchName(branch, locale),
      until: formatUntil(until, new Date(), locale),
    }),
  );
  const all = [
    { key: "ends", label: "bonus", text: ends },
    { key: "held", label: "reserved", text: held.join("\n") },
  ] as const;
  return all.filter(({ text }) => text !== "");
}

/** The link in a pass's QR code. It only names the card: a photo of it redeems no more than the daily limit. */
export function passQrLink(publicId: string, source: "apple" | "google"): string {
  return `${env().APP_URL}/topup/${publicId}?src=${source}`;
}

function writeFields(pass: PKPass, card: PassCard): void {
  pass.type = "storeCard";
  pass.headerFields.push({
    key: "balance",
    label: "cash",
    value: card.available,
    changeMessage: "balanceChanged",
  });
  pass.secondaryFields.push(
    { key: "member", label: "member", value: card.fullName },
    {
      key: "worth",
      label: "worth",
      value: Number(cashValue(card.available, card.dirhamsPerPoint)),
      currencyCode: "QAR",
      textAlignment: direction(card.locale) === "rtl" ? "PKTextAlignmentLeft" : "PKTextAlignmentRight",
    },
  );
  for (const { key, label } of remarks(card.locale, card))
    pass.auxiliaryFields.push({ key, label, value: `${key}Text` });
  pass.backFields.push(
    { key: "merchant", label: "merchant", value: card.merchant.businessName },
    { key: "card", label: "cardId", value: customerNumber(card) },
    { key: "since", label: "since", value: card.registeredAt.toISOString(), dateStyle: "PKDateStyleMedium" },
    { key: "about", label: "about", value: "aboutText" },
  );
  pass.setBarcodes({
    format: "PKBarcodeFormatQR",
    message: passQrLink(card.publicId, "apple"),
    messageEncoding: "iso-8859-1",
    altText: customerNumber(card),
  });
}

function rgb(hex: string): string {
  return `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(",")})`;
}

async function buildApplePass(
  card: PassCard,
  settings: AppleSettings,
  image: Uint8Array | null,
): Promise<Buffer> {
  const pass = new PKPass(
    await passImages(card.merchant.colours, image, await readLogo(card.merchant.logoKey, LOGO)),
    settings.certificates,
    {
      formatVersion: 1,
      passTypeIdentifier: settings.passTypeIdentifier,
      teamIdentifier: settings.teamIdentifier,
      serialNumber: card.serial,
      organizationName: card.merchant.businessName,
      description: describedAs(DEFAULT_LOCALE, card),
      logoText: card.merchant.businessName,
      backgroundColor: rgb(card.merchant.colours.via),
      foregroundColor: "rgb(255,255,255)",
      labelColor: rgb(SOFT_INK),
      authenticationToken: card.authToken,
      webServiceURL: `${env().APP_URL}/api/wallet`,
      sharingProhibited: true,
      ...(card.voided ? { voided: true } : {}),
    },
  );
  writeFields(pass, card);
  for (const locale of LOCALES) pass.localize(locale, strings(locale, card));
  return pass.getAsBuffer();
}

// Signing takes tens of milliseconds, so each version of a pass is signed once, not at each download.
const signed = remembering<Buffer>(200);
/** The logo at @3x. */
const LOGO = 150;
// As wide as the strip at @3x; the smaller images are scaled down from it.
const PICTURE = { format: "png", width: STRIP.width * STRIP.scale } as const;

export type PassFile = { bytes: Buffer; changedAt: Date; businessName: string };

/** The signed pass of a card in its current state, as a file. Throws wallet_unavailable without certificates. */
export async function passFile(card: PassCard): Promise<PassFile> {
  const settings = await appleSettings();
  if (!settings) throw new DomainError("wallet_unavailable");
  const { imageKey, businessName } = card.merchant;
  const bytes = await signed(JSON.stringify(card), async () =>
    buildApplePass(card, settings, imageKey ? await readImage(imageKey, PICTURE) : null),
  );
  return { bytes, changedAt: card.changedAt, businessName };
}

/** A card's Apple pass, by its private id. Throws customer_not_found, customer_erased, wallet_unavailable. */
export const downloadApplePass = operation({
  permission: "card.view",
  input: byIdSchema,
  errors: ["customer_not_found", "customer_erased", "wallet_unavailable"],
  readOnly: true,
  actorFrom: stranger,
  run: async (ctx, input): Promise<PassFile> => {
    if (!(await appleSettings())) throw new DomainError("wallet_unavailable");
    return passFile(await passOfCard(ctx.db, input.id));
  },
});
