import { Document, Image, Page, renderToBuffer, Svg, View } from "@react-pdf/renderer";
import type { ComponentProps, ReactNode } from "react";
import { PICTURE_SHADE } from "@/lib/cards/model/card-colours";
import type { Context } from "@/lib/db/context";
import { consume, type GuardLimit } from "@/lib/db/rate-limit";
import { targetMerchantId } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { merchantName, merchantNames } from "@/lib/domain/localized-names";
import { LOCALES } from "@/lib/domain/roles";
import { signupUrl } from "@/lib/files/media-url";
import { coloursOfMerchant } from "@/lib/files/picture-colour";
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
import { SHOWN } from "./lookups";
import { posterSchema } from "./model/merchant";
import type { POSTER_LANGUAGES, PosterKind } from "./model/poster-kinds";

const INK = "#0f172a";
const QUIET = "#475569";
const A4 = { width: 595.28, height: 841.89 };
/** Points in a centimetre. */
const CM = 28.3465;

/** The merchant's names below each other: in one size, as large as the longer one fits, but readable. */
function PosterNames({ names, most, width }: { names: string[]; most: number; width: number }) {
  // A letter takes 0.58 of its size.
  const size = Math.max(most / 3, Math.min(most, ...names.map(({ length }) => width / (length * 0.58))));
  return (
    <View style={{ maxWidth: width, alignItems: "center" }}>
      {names.map((name, index) => (
        <BidiText key={name} size={size} color="#ffffff" bold above={index === 0 ? 0 : size * 0.18}>
          {name}
        </BidiText>
      ))}
    </View>
  );
}

type GroundProps = {
  sheet: PosterSheet;
  width: number;
  height: number;
  style?: Exclude<ComponentProps<typeof View>["style"], undefined | unknown[]>;
  children: ReactNode;
};

function Ground({ sheet: { background, colours }, width, height, style, children }: GroundProps) {
  const place = { position: "absolute", top: 0, left: 0, width, height } as const;
  return (
    <View
      style={{
        width,
        height,
        backgroundColor: colours.via,
        alignItems: "center",
        justifyContent: "center",
        overflow: "hidden",
        ...style,
      }}
    >
      {background && <Image src={background} style={place} />}
      {background && <View style={{ ...place, backgroundColor: colours.to, opacity: PICTURE_SHADE }} />}
      <Svg style={place} viewBox={`0 0 ${width} ${height}`}>
        <WavePaths seed={colours.waves} width={width} height={height} />
      </Svg>
      {children}
    </View>
  );
}

function PosterLogo({ sheet, side, below }: { sheet: PosterSheet; side: number; below: number }) {
  if (!sheet.logo) return null;
  return (
    <Image
      src={sheet.logo}
      style={{ width: side, height: side, borderRadius: side * 0.2, marginBottom: below }}
    />
  );
}

/** The code on white, with the margin that scanners need. */
function Code({ sheet, side, radius = 12 }: { sheet: PosterSheet; side: number; radius?: number }) {
  return (
    <View style={{ backgroundColor: "#ffffff", borderRadius: radius, padding: side * 0.08 }}>
      <Image src={sheet.qr} style={{ width: side, height: side }} />
    </View>
  );
}

function PosterLine({ title, steps, size }: { title: string; steps: string; size: number }) {
  return (
    <View style={{ alignItems: "center" }}>
      <BidiText size={size} color={INK} bold>
        {title}
      </BidiText>
      <BidiText size={size * 0.56} color={QUIET} above={size * 0.16}>
        {steps}
      </BidiText>
    </View>
  );
}

const HALF = { width: A4.width, height: A4.height / 2 };
const BAND = 250;

function Side({ sheet, turned }: { sheet: PosterSheet; turned: boolean }) {
  const [above, below] = sheet.lines;
  return (
    <View
      style={{
        ...HALF,
        flexDirection: "row",
        backgroundColor: "#ffffff",
        ...(turned ? { transform: "rotate(180deg)" } : {}),
      }}
    >
      <Ground sheet={sheet} width={BAND} height={HALF.height} style={{ padding: 20 }}>
        <PosterLogo sheet={sheet} side={LOGO_SIDE} below={18} />
        <PosterNames names={sheet.names} most={34} width={BAND - 40} />
      </Ground>
      <View style={{ flexGrow: 1, alignItems: "center", justifyContent: "space-evenly", padding: 16 }}>
        {above && <PosterLine {...above} size={20} />}
        <Code sheet={sheet} side={190} />
        {below && <PosterLine {...below} size={20} />}
      </View>
    </View>
  );
}

/** A card for the counter: one A4 page that is folded in the middle, so that both sides stand upright. */
function CounterCardPage({ sheet }: { sheet: PosterSheet }) {
  return (
    <Page size="A4" style={{ backgroundColor: "#ffffff" }}>
      <Side sheet={sheet} turned />
      <Side sheet={sheet} turned={false} />
      <View
        style={{
          position: "absolute",
          top: HALF.height - 7,
          right: 12,
          flexDirection: "row",
          gap: 10,
          backgroundColor: "#ffffff",
          paddingHorizontal: 6,
        }}
      >
        {sheet.lines.map(({ fold }) => (
          <BidiText key={fold} size={8} color={QUIET}>
            {fold}
          </BidiText>
        ))}
      </View>
    </Page>
  );
}

const SIDE = 9 * CM;

/** One sticker of 9 cm, with a thin line to cut along. */
function Sticker({ sheet, round }: { sheet: PosterSheet; round: boolean }) {
  const qr = (round ? 3.9 : 4) * CM;
  const size = round ? 11 : 12;
  // In a circle there is less room for names at the top.
  const width = (round ? 4.6 : 7.8) * CM;
  return (
    <Ground
      sheet={sheet}
      width={SIDE}
      height={SIDE}
      style={{ borderRadius: round ? SIDE / 2 : 18, borderWidth: 0.5, borderColor: "#94a3b8", gap: 6 }}
    >
      {round || !sheet.logo ? (
        <PosterNames names={sheet.names} most={sheet.names.length > 1 ? 15 : 19} width={width} />
      ) : (
        <View style={{ flexDirection: "row", alignItems: "center", gap: 10 }}>
          <PosterLogo sheet={sheet} side={42} below={0} />
          <PosterNames names={sheet.names} most={17} width={width - 52} />
        </View>
      )}
      <Code sheet={sheet} side={qr} radius={10} />
      <View style={{ alignItems: "center" }}>
        {sheet.lines.map(({ title }, index) => (
          <BidiText key={title} size={size} color="#ffffff" bold above={index === 0 ? 0 : size * 0.12}>
            {title}
          </BidiText>
        ))}
      </View>
    </Ground>
  );
}

function StickersPage({ sheet, round }: { sheet: PosterSheet; round: boolean }) {
  return (
    <Page size="A4" style={{ backgroundColor: "#ffffff", justifyContent: "space-evenly" }}>
      {["top", "middle", "bottom"].map((row) => (
        <View key={row} style={{ flexDirection: "row", justifyContent: "space-evenly" }}>
          <Sticker sheet={sheet} round={round} />
          <Sticker sheet={sheet} round={round} />
        </View>
      ))}
    </Page>
  );
}

/** Of the image at the top, in points. */
const HEAD = { width: A4.width, height: 250 };

function PosterPage({ sheet }: { sheet: PosterSheet }) {
  const [above, below] = sheet.lines;
  return (
    <Page size="A4" style={{ backgroundColor: "#ffffff" }}>
      <Ground sheet={sheet} {...HEAD}>
        <PosterLogo sheet={sheet} side={72} below={12} />
        <PosterNames names={sheet.names} most={sheet.logo && sheet.names.length > 1 ? 34 : 44} width={500} />
      </Ground>
      <View style={{ flexGrow: 1, alignItems: "center", justifyContent: "space-evenly", padding: 30 }}>
        {above && <PosterLine {...above} size={25} />}
        <Code sheet={sheet} side={QR_SIDE} />
        {below && <PosterLine {...below} size={25} />}
        <BidiText size={10} color={QUIET}>
          {sheet.link}
        </BidiText>
      </View>
    </Page>
  );
}

function PosterDocument({ kind, sheet }: { kind: PosterKind; sheet: PosterSheet }) {
  return (
    <Document title={sheet.names[0]}>
      {kind === "poster" && <PosterPage sheet={sheet} />}
      {kind === "counter" && <CounterCardPage sheet={sheet} />}
      {(kind === "square" || kind === "round") && <StickersPage sheet={sheet} round={kind === "round"} />}
    </Document>
  );
}

// Drawing a sheet takes a second of processor time.
const PER_PERSON: GuardLimit = { name: "poster", points: 30, seconds: 60 };

/** Of the code and of the logo, for the largest place of each, in points. */
const QR_SIDE = 270;
const LOGO_SIDE = 84;

/** The approved merchant of the caller: before the approval its link does not work. */
async function approvedMerchant(ctx: Context, id: string) {
  const merchant = await ctx.db.merchant.findFirst({
    where: { id },
    select: { publicId: true, ...SHOWN, status: true, statusReason: true },
  });
  if (merchant?.status === "pending") throw new DomainError("merchant_pending");
  if (merchant?.status === "rejected")
    throw new DomainError("merchant_rejected", { reason: merchant.statusReason ?? "" });
  if (!merchant) throw new DomainError("merchant_unavailable");
  return { id, ...merchant };
}

type Merchant = Awaited<ReturnType<typeof approvedMerchant>>;
type Language = (typeof POSTER_LANGUAGES)[number];

/** The content of a poster. Images are data URLs. */
async function sheetOf(ctx: Context, merchant: Merchant, kind: PosterKind, language: Language) {
  const locales = language === "both" ? LOCALES : [language];
  const link = signupUrl(merchant.publicId);
  return {
    link,
    names: language === "both" ? merchantNames(merchant) : [merchantName(merchant, language)],
    colours: await coloursOfMerchant(ctx.db, merchant),
    background: kind === "poster" ? await printedPicture(merchant.imageKey, HEAD) : null,
    logo: await printedLogo(merchant.logoKey, LOGO_SIDE),
    qr: await printedCode(link, QR_SIDE),
    lines: locales.map((locale) => {
      const t = translator(locale);
      return {
        title: t("merchants.poster.title"),
        steps: t("merchants.poster.steps"),
        fold: t("merchants.poster.fold"),
      };
    }),
  };
}
type PosterSheet = Awaited<ReturnType<typeof sheetOf>>;

const FILE_NAMES: Record<PosterKind, string> = {
  poster: "poster",
  counter: "counter-card",
  square: "stickers",
  round: "round-stickers",
};

/** The sign-up code to print, 30 a minute. Throws merchant_pending or merchant_rejected until approved. */
export const posterPdf = operation({
  permission: "merchant.profile",
  input: posterSchema,
  readOnly: true,
  run: async (ctx, { kind, language }): Promise<{ fileName: string; bytes: Buffer }> => {
    const merchantId = targetMerchantId(ctx.reach, undefined);
    const merchant = await approvedMerchant(ctx, merchantId);
    await consume(ctx.db, PER_PERSON, ctx.actor.userId);
    await registerFonts();
    const sheet = await sheetOf(ctx, merchant, kind, language);
    const bytes = await renderToBuffer(<PosterDocument kind={kind} sheet={sheet} />);
    // The first download counts in the new shop's checklist.
    await ctx.db.merchant.updateMany({
      where: { id: merchantId, posterAt: null },
      data: { posterAt: ctx.clock() },
    });
    const name = merchant.businessName.trim().replace(/[\s/\\]+/gu, "-");
    return { fileName: `${name}-${FILE_NAMES[kind]}.pdf`, bytes };
  },
});
