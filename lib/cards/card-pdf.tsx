import { renderToBuffer } from "@react-pdf/renderer";
import { toBuffer } from "qrcode";
import { customerNumber } from "@/lib/customers/model/customer-code";
import { formatPhone } from "@/lib/domain/contact";
import { merchantName } from "@/lib/domain/merchant-name";
import { formatPoints, formatQar, partValue } from "@/lib/domain/money";
import { type Locale, localeOr } from "@/lib/domain/roles";
import { formatDate, formatShortDate } from "@/lib/domain/time";
import { readImage } from "@/lib/files/attach";
import { readLogo } from "@/lib/files/logo";
import { translator } from "@/lib/i18n/translate";
import { operation } from "@/lib/operations/operation";
import { registerFonts } from "@/lib/pdf/bidi-text";
import { CARD, type CardSheet, cardLink, LOGO_SIDE, QR_SIDE, readCard } from "./card";
import { holderByCookie } from "./card-holder";
import { CardDocument } from "./card-pdf-document";
import type { CardProfile } from "./model/card";
import { cardPdfSchema } from "./model/card-holder";

/** Image pixels per printed point. */
const SCALE = 3;

const dataUrl = (type: string, bytes: Buffer) => `data:${type};base64,${bytes.toString("base64")}`;

async function background(key: string | null): Promise<string | null> {
  if (key === null) return null;
  const size = { width: CARD.width * SCALE, height: CARD.height * SCALE };
  // An unreadable image is omitted, as on the web card.
  const bytes = await readImage(key, { format: "jpeg", ...size }).catch(() => null);
  return bytes && dataUrl("image/jpeg", bytes);
}

async function logoOf(key: string | null): Promise<string | null> {
  const bytes = await readLogo(key, LOGO_SIDE * SCALE);
  return bytes && dataUrl("image/png", bytes);
}

async function sheetOf(card: CardProfile, locale: Locale): Promise<CardSheet> {
  const t = translator(locale);
  const { merchant } = card;
  const { endsNext } = card.pockets;
  const available = Math.max(0, card.balance - card.held);
  // Of what is held nothing can be spent; a card without points has nothing held.
  const worth = card.held > 0 ? partValue(available, card.balance, card.cashValue) : card.cashValue;
  // The printed code only identifies the card; it is never a live code.
  const qr = await toBuffer(cardLink(card.publicId), {
    width: QR_SIDE * SCALE,
    margin: 0,
    errorCorrectionLevel: "M",
  });
  const businessName = merchantName(merchant, locale) || t("card.fallbackBusiness");
  return {
    rtl: locale === "ar",
    title: `${businessName}: ${t("card.pageTitle")}`,
    businessName,
    person: [merchant.firstName, merchant.lastName].filter(Boolean).join(" "),
    colours: merchant.colours,
    background: await background(merchant.imageKey),
    logo: await logoOf(merchant.logoKey),
    qr: dataUrl("image/png", qr),
    scan: t("card.scan"),
    cashCaption: t("card.cashAvailable"),
    cash: formatQar(worth, locale),
    points: formatPoints(available, locale),
    holderCaption: t("card.cardHolder"),
    holder: card.fullName || t("card.fallbackCustomer"),
    sinceCaption: t("card.memberSince"),
    since: formatDate(card.registeredAt, locale),
    detailsTitle: t("card.details"),
    details: [
      { label: t("card.customerId"), value: customerNumber(card) },
      { label: t("card.memberSince"), value: formatDate(card.registeredAt, locale) },
      { label: t("card.email"), value: card.email ?? t("card.fallbackEmail") },
      { label: t("card.phone"), value: card.phone ? formatPhone(card.phone) : "–" },
      { label: t("card.currentBalance"), value: formatPoints(card.balance, locale) },
      ...(endsNext
        ? [
            {
              label: t("card.bonus"),
              value: t("card.endsNext", {
                amount: formatQar(partValue(endsNext.points, card.balance, card.cashValue), locale),
                day: formatShortDate(endsNext.day, locale),
              }),
            },
          ]
        : []),
      { label: t("card.cashEquivalent"), value: formatQar(card.cashValue, locale) },
    ],
    hint: t("card.pdfHint"),
  };
}

export type CardPdf = { fileName: string; bytes: Buffer };

/** The card as an A4 PDF, in the requested language or the card's own, with contacts masked as on its page. Throws customer_not_found. */
export const cardPdf = operation({
  permission: "card.view",
  input: cardPdfSchema,
  errors: ["customer_not_found"],
  readOnly: true,
  actorFrom: holderByCookie,
  run: async (ctx, input): Promise<CardPdf> => {
    const card = await readCard(ctx, { customerId: input.customerId });
    const locale = input.locale ?? localeOr(card.locale, ctx.locale);
    await registerFonts();
    const bytes = await renderToBuffer(<CardDocument sheet={await sheetOf(card, locale)} />);
    const name = card.fullName.trim().replace(/[\s/\\]+/gu, "-");
    return { fileName: `loyalty-card-${name}.pdf`, bytes };
  },
});
