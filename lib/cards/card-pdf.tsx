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
import { PICTURE_SHADE, SOFT_INK } from "@/lib/cards/model/card-colours";
import { customerNumber } from "@/lib/customers/model/customer-code";
import { formatPhone } from "@/lib/domain/contact";
import { merchantName } from "@/lib/domain/localized-names";
import { formatPoints, formatQar, partValue } from "@/lib/domain/money";
import { type Locale, localeOr } from "@/lib/domain/roles";
import { formatDate, formatDay } from "@/lib/domain/time";
import { translator } from "@/lib/i18n/translate";
import { operation } from "@/lib/operations/operation";
import {
  BidiText,
  printedCode,
  printedLogo,
  printedPicture,
  registerFonts,
  WavePaths,
} from "@/lib/pdf/parts";
import { cardLink, readCard } from "./card";
import { holderByCookie } from "./card-holder";
import type { CardProfile } from "./model/card";
import { cardPdfSchema } from "./model/card-holder";

/** In points of 1/72 inch. */
export const CARD = { width: 499, height: 314, radius: 20 };
const QR_SIDE = 150;
const LOGO_SIDE = 44;

const LAYOUT = {
  en: { across: "row", start: "flex-start", end: "flex-end" },
  ar: { across: "row-reverse", start: "flex-end", end: "flex-start" },
} as const;

async function sheetOf(card: CardProfile, locale: Locale) {
  const t = translator(locale);
  const { merchant } = card;
  return {
    ...LAYOUT[locale],
    card,
    locale,
    t,
    businessName: merchantName(merchant, locale) || t("card.fallbackBusiness"),
    colours: merchant.colours,
    background: await printedPicture(merchant.imageKey, CARD),
    logo: await printedLogo(merchant.logoKey, LOGO_SIDE),
    // The printed code only identifies the card; it is never a live code.
    qr: await printedCode(cardLink(card.publicId), QR_SIDE),
  };
}

function detailsOf({ card, locale, t }: CardSheet): [label: string, value: string][] {
  const { endsNext } = card.pockets;
  const ending = endsNext && {
    amount: formatQar(partValue(endsNext.points, card.balance, card.cashValue), locale),
    day: formatDay(endsNext.day, locale),
  };
  return [
    [t("card.customerId"), customerNumber(card)],
    [t("card.memberSince"), formatDate(card.registeredAt, locale)],
    [t("card.email"), card.email ?? t("card.fallbackEmail")],
    [t("card.phone"), card.phone ? formatPhone(card.phone) : "–"],
    [t("card.currentBalance"), formatPoints(card.balance, locale)],
    ...(ending ? [[t("card.bonus"), t("card.endsNext", ending)] satisfies [string, string]] : []),
    [t("card.cashEquivalent"), formatQar(card.cashValue, locale)],
  ];
}

type CardSheet = Awaited<ReturnType<typeof sheetOf>>;

/** The card as an A4 PDF, in the requested language or the card's own, with contacts masked as on its page. Throws customer_not_found. */
export const cardPdf = operation({
  permission: "card.view",
  input: cardPdfSchema,
  errors: ["customer_not_found"],
  readOnly: true,
  actorFrom: holderByCookie,
  run: async (ctx, input): Promise<{ fileName: string; bytes: Buffer }> => {
    const card = await readCard(ctx, { customerId: input.customerId });
    const locale = input.locale ?? localeOr(card.locale, ctx.locale);
    await registerFonts();
    const bytes = await renderToBuffer(<CardDocument sheet={await sheetOf(card, locale)} />);
    const name = card.fullName.trim().replace(/[\s/\\]+/gu, "-");
    return { fileName: `loyalty-card-${name}.pdf`, bytes };
  },
});

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

function Caption({ children }: { children: string }) {
  return (
    <BidiText size={8.5} color={SOFT_INK}>
      {children}
    </BidiText>
  );
}

function Cash({ sheet }: { sheet: CardSheet }) {
  const { balance, held, cashValue } = sheet.card;
  const available = Math.max(0, balance - held);
  // Of what is held nothing can be spent; a card without points has nothing held.
  const worth = held > 0 ? partValue(available, balance, cashValue) : cashValue;
  return (
    <View style={{ alignItems: sheet.start, marginTop: 2 }}>
      <BidiText size={30} color="#ffffff" bold>
        {formatQar(worth, sheet.locale)}
      </BidiText>
      <BidiText size={13} color={sheet.background ? "#ffffff" : sheet.colours.accent}>
        {formatPoints(available, sheet.locale)}
      </BidiText>
    </View>
  );
}

/** The most that a text below the line takes of it, in points: the longest name has two lines, and the date its own place. */
const FOOT = 340;

function Foot({ caption, text, align }: { caption: string; text: string; align: "flex-start" | "flex-end" }) {
  return (
    <View style={{ alignItems: align, maxWidth: FOOT }}>
      <Caption>{caption}</Caption>
      <BidiText size={13} color="#ffffff" bold>
        {text}
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

function Names({ sheet }: { sheet: CardSheet }) {
  const { firstName, lastName } = sheet.card.merchant;
  const person = [firstName, lastName].filter(Boolean).join(" ");
  const side = { width: LOGO_SIDE, height: LOGO_SIDE };
  const maxWidth = sheet.logo ? 260 - LOGO_SIDE - 12 : 260;
  return (
    <View style={{ flexDirection: sheet.across, alignItems: "center", gap: 12 }}>
      {sheet.logo && <Image src={sheet.logo} style={{ ...side, borderRadius: 10 }} />}
      <View style={{ alignItems: sheet.start, maxWidth }}>
        <BidiText size={nameSize(sheet.businessName, maxWidth)} color="#ffffff" bold>
          {sheet.businessName}
        </BidiText>
        {person !== "" && (
          <BidiText size={11} color={SOFT_INK} above={3}>
            {person}
          </BidiText>
        )}
      </View>
    </View>
  );
}

function Face({ sheet }: { sheet: CardSheet }) {
  const { across, start, end, card, locale, t } = sheet;
  return (
    <View style={{ width: CARD.width, height: CARD.height, position: "relative" }}>
      <Ground sheet={sheet} />
      <View style={{ padding: 26, height: CARD.height, justifyContent: "space-between" }}>
        <View style={{ flexDirection: across, justifyContent: "space-between" }}>
          <View style={{ width: 260, height: 190, justifyContent: "space-between", alignItems: start }}>
            <Names sheet={sheet} />
            <View style={{ alignItems: start }}>
              <Caption>{t("card.cashAvailable")}</Caption>
              <Cash sheet={sheet} />
            </View>
          </View>
          <View style={{ alignItems: "center" }}>
            <View style={{ backgroundColor: "#ffffff", borderRadius: 12, padding: 10 }}>
              <Image src={sheet.qr} style={{ width: QR_SIDE, height: QR_SIDE }} />
            </View>
            <BidiText size={10} color="#ffffff" above={6}>
              {t("card.scan")}
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
          <Foot
            caption={t("card.cardHolder")}
            text={card.fullName || t("card.fallbackCustomer")}
            align={start}
          />
          <Foot caption={t("card.memberSince")} text={formatDate(card.registeredAt, locale)} align={end} />
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
      <View style={{ alignItems: sheet.start }}>
        <BidiText size={14} color="#0f172a" bold>
          {sheet.t("card.details")}
        </BidiText>
      </View>
      {detailsOf(sheet).map(([label, value], index) => (
        <View
          key={label}
          style={{
            flexDirection: sheet.across,
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

function CardDocument({ sheet }: { sheet: CardSheet }) {
  const { businessName, t } = sheet;
  return (
    <Document title={`${businessName}: ${t("card.pageTitle")}`} author={businessName} language={sheet.locale}>
      <Page size="A4" style={{ backgroundColor: "#f8fafc", padding: 48 }}>
        <Face sheet={sheet} />
        <Details sheet={sheet} />
        <View style={{ alignItems: "center" }}>
          <BidiText size={10} color="#475569" above={22}>
            {t("card.pdfHint")}
          </BidiText>
        </View>
      </Page>
    </Document>
  );
}
