import {
  Defs,
  Document,
  Image,
  LinearGradient,
  Page,
  Rect,
  renderToBuffer,
  Stop,
  Svg,
  View,
} from "@react-pdf/renderer";
import { toBuffer } from "qrcode";
import { PICTURE_SHADE, SOFT_INK } from "@/lib/cards/model/card-colours";
import { customerNumber } from "@/lib/customers/model/customer-code";
import { formatPhone } from "@/lib/domain/contact";
import { merchantName } from "@/lib/domain/merchant-name";
import { formatPoints, formatQar, partValue } from "@/lib/domain/money";
import { type Locale, localeOr } from "@/lib/domain/roles";
import { formatDate, formatDay } from "@/lib/domain/time";
import { readImage } from "@/lib/files/attach";
import { readLogo } from "@/lib/files/logo";
import { translator } from "@/lib/i18n/translate";
import { operation } from "@/lib/operations/operation";
import { BidiText, registerFonts, WavePaths } from "@/lib/pdf/parts";
import { cardLink, readCard } from "./card";
import { holderByCookie } from "./card-holder";
import type { CardProfile } from "./model/card";
import { cardPdfSchema } from "./model/card-holder";

/** In points of 1/72 inch. */
export const CARD = { width: 499, height: 314, radius: 20 };
const QR_SIDE = 150;
const LOGO_SIDE = 44;
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

/** The content of the page in this language. Images are data URLs. */
async function sheetOf(card: CardProfile, locale: Locale) {
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
                day: formatDay(endsNext.day, locale),
              }),
            },
          ]
        : []),
      { label: t("card.cashEquivalent"), value: formatQar(card.cashValue, locale) },
    ],
    hint: t("card.pdfHint"),
  };
}

type CardSheet = Awaited<ReturnType<typeof sheetOf>>;

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

/** The picture of a card under shade, or its colours. */
function Ground({ sheet }: { sheet: CardSheet }) {
  const { colours } = sheet;
  const place = { position: "absolute", top: 0, left: 0, width: CARD.width, height: CARD.height } as const;
  return (
    <>
      {sheet.background && <Image src={sheet.background} style={{ ...place, borderRadius: CARD.radius }} />}
      <Svg style={place} viewBox={`0 0 ${CARD.width} ${CARD.height}`}>
        <Defs>
          <LinearGradient id="ground" x1="0" y1="0" x2="1" y2="1">
            <Stop offset="0%" stopColor={colours.from} />
            <Stop offset="48%" stopColor={colours.via} />
            <Stop offset="100%" stopColor={colours.to} />
          </LinearGradient>
        </Defs>
        <Rect
          x={0}
          y={0}
          width={CARD.width}
          height={CARD.height}
          rx={CARD.radius}
          fill={sheet.background ? colours.to : "url('#ground')"}
          fillOpacity={sheet.background ? PICTURE_SHADE : 1}
        />
        <WavePaths seed={colours.waves} width={CARD.width} height={CARD.height} />
      </Svg>
    </>
  );
}

const PAGE_GROUND = "#f8fafc";

function Caption({ children }: { children: string }) {
  return (
    <BidiText size={8.5} color={SOFT_INK}>
      {children}
    </BidiText>
  );
}

/** As on the web card: QAR first, points below. */
function Cash({ sheet, start }: { sheet: CardSheet; start: "flex-start" | "flex-end" }) {
  return (
    <View style={{ alignItems: start, marginTop: 2 }}>
      <BidiText size={30} color="#ffffff" bold>
        {sheet.cash}
      </BidiText>
      <BidiText size={13} color={sheet.background ? "#ffffff" : sheet.colours.accent}>
        {sheet.points}
      </BidiText>
    </View>
  );
}

/** The most that a text below the line takes of it, in points: the longest name has two lines, and the date its own place. */
const FOOT = 340;

function Foot({
  caption,
  children,
  align,
}: {
  caption: string;
  children: string;
  align: "flex-start" | "flex-end";
}) {
  return (
    <View style={{ alignItems: align, maxWidth: FOOT }}>
      <Caption>{caption}</Caption>
      <BidiText size={13} color="#ffffff" bold>
        {children}
      </BidiText>
    </View>
  );
}

const NAME = { most: 24, least: 10, height: 84 };
/** The width of a letter and the height of a line, relative to the size of the text. */
const LETTER = 0.58;
const LINE = 1.6;

/** The largest size in which a name of this length fits above the balance, in points. */
function nameSize(name: string, width: number): number {
  for (let size = NAME.most; size > NAME.least; size--) {
    const lines = Math.ceil((name.length * size * LETTER) / width);
    if (lines * size * LINE <= NAME.height) return size;
  }
  return NAME.least;
}

/** The merchant's logo with its names. */
function Names({
  sheet,
  across,
  start,
}: {
  sheet: CardSheet;
  across: "row" | "row-reverse";
  start: "flex-start" | "flex-end";
}) {
  const side = { width: LOGO_SIDE, height: LOGO_SIDE };
  const maxWidth = sheet.logo ? 260 - LOGO_SIDE - 12 : 260;
  return (
    <View style={{ flexDirection: across, alignItems: "center", gap: 12 }}>
      {sheet.logo && <Image src={sheet.logo} style={{ ...side, borderRadius: 10 }} />}
      <View style={{ alignItems: start, maxWidth }}>
        <BidiText size={nameSize(sheet.businessName, maxWidth)} color="#ffffff" bold>
          {sheet.businessName}
        </BidiText>
        {sheet.person !== "" && (
          <BidiText size={11} color={SOFT_INK} above={3}>
            {sheet.person}
          </BidiText>
        )}
      </View>
    </View>
  );
}

/** The card in the layout of the web card, mirrored in Arabic. */
function Face({ sheet }: { sheet: CardSheet }) {
  const across = sheet.rtl ? "row-reverse" : "row";
  const start = sheet.rtl ? "flex-end" : "flex-start";
  const end = sheet.rtl ? "flex-start" : "flex-end";
  return (
    <View style={{ width: CARD.width, height: CARD.height, position: "relative" }}>
      <Ground sheet={sheet} />
      <View style={{ padding: 26, height: CARD.height, justifyContent: "space-between" }}>
        <View style={{ flexDirection: across, justifyContent: "space-between" }}>
          <View style={{ width: 260, height: 190, justifyContent: "space-between", alignItems: start }}>
            <Names sheet={sheet} across={across} start={start} />
            <View style={{ alignItems: start }}>
              <Caption>{sheet.cashCaption}</Caption>
              <Cash sheet={sheet} start={start} />
            </View>
          </View>
          <View style={{ alignItems: "center" }}>
            <View style={{ backgroundColor: "#ffffff", borderRadius: 12, padding: 10 }}>
              <Image src={sheet.qr} style={{ width: QR_SIDE, height: QR_SIDE }} />
            </View>
            <BidiText size={10} color="#ffffff" above={6}>
              {sheet.scan}
            </BidiText>
          </View>
        </View>
        <View
          style={{
            flexDirection: across,
            justifyContent: "space-between",
            borderTopWidth: 0.7,
            borderTopColor: "#ffffff55",
            paddingTop: 9,
          }}
        >
          <Foot caption={sheet.holderCaption} align={start}>
            {sheet.holder}
          </Foot>
          <Foot caption={sheet.sinceCaption} align={end}>
            {sheet.since}
          </Foot>
        </View>
      </View>
    </View>
  );
}

function Details({ sheet }: { sheet: CardSheet }) {
  return (
    <View
      style={{
        marginTop: 28,
        padding: 22,
        backgroundColor: "#ffffff",
        borderRadius: 14,
        borderWidth: 0.8,
        borderColor: "#e2e8f0",
      }}
    >
      <View style={{ alignItems: sheet.rtl ? "flex-end" : "flex-start" }}>
        <BidiText size={14} color="#0f172a" bold>
          {sheet.detailsTitle}
        </BidiText>
      </View>
      {sheet.details.map(({ label, value }, index) => (
        <View
          key={label}
          style={{
            flexDirection: sheet.rtl ? "row-reverse" : "row",
            justifyContent: "space-between",
            paddingVertical: 8,
            marginTop: index === 0 ? 6 : 0,
            borderTopWidth: index === 0 ? 0 : 0.7,
            borderTopColor: "#e2e8f0",
          }}
        >
          <BidiText size={11} color="#475569">
            {label}
          </BidiText>
          <BidiText size={11} color="#0f172a" bold>
            {value}
          </BidiText>
        </View>
      ))}
    </View>
  );
}

/** One A4 page: the card and its details. */
function CardDocument({ sheet }: { sheet: CardSheet }) {
  return (
    <Document title={sheet.title} author={sheet.businessName} language={sheet.rtl ? "ar" : "en"}>
      <Page size="A4" style={{ backgroundColor: PAGE_GROUND, padding: 48 }}>
        <Face sheet={sheet} />
        <Details sheet={sheet} />
        <View style={{ alignItems: "center" }}>
          <BidiText size={10} color="#475569" above={22}>
            {sheet.hint}
          </BidiText>
        </View>
      </Page>
    </Document>
  );
}
