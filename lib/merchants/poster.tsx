import { Document, Image, Page, renderToBuffer, View } from "@react-pdf/renderer";
import { toBuffer } from "qrcode";
import { PICTURE_SHADE } from "@/lib/cards/model/card-colours";
import type { Context } from "@/lib/db/context";
import { consume, type GuardLimit } from "@/lib/db/rate-limit";
import { targetMerchantId } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { merchantName, merchantNames } from "@/lib/domain/merchant-name";
import { LOCALES } from "@/lib/domain/roles";
import { env } from "@/lib/env";
import { readImage } from "@/lib/files/attach";
import { readLogo } from "@/lib/files/logo";
import { coloursOfMerchant } from "@/lib/files/picture-colour";
import { translator } from "@/lib/i18n/translate";
import { operation } from "@/lib/operations/operation";
import { BidiText, registerFonts } from "@/lib/pdf/bidi-text";
import { Waves } from "@/lib/pdf/waves";
import { posterSchema } from "./model/merchant";
import type { PosterKind } from "./model/poster-kinds";
import { CounterCardPage } from "./posters/counter-card";
import { A4, CM, Code, PosterLine, PosterLogo, PosterNames, type PosterSheet, QUIET } from "./posters/sheet";

const SIDE = 9 * CM;
const ACROSS = 2;
const DOWN = 3;
const PLACES = Array.from({ length: ACROSS * DOWN }, (_, place) => place);

function Titles({ sheet, size }: { sheet: PosterSheet; size: number }) {
  return sheet.lines.map(({ title }, index) => (
    <BidiText key={title} size={size} color="#ffffff" bold above={index === 0 ? 0 : size * 0.12}>
      {title}
    </BidiText>
  ));
}

/** One sticker of 9 cm, with a thin line to cut along. */
function Sticker({ sheet, round }: { sheet: PosterSheet; round: boolean }) {
  const qr = (round ? 3.9 : 4) * CM;
  // In a circle there is less room for names at the top.
  const width = (round ? 4.6 : 7.8) * CM;
  return (
    <View
      style={{
        width: SIDE,
        height: SIDE,
        borderRadius: round ? SIDE / 2 : 18,
        borderWidth: 0.5,
        borderColor: "#94a3b8",
        backgroundColor: sheet.colours.via,
        alignItems: "center",
        justifyContent: "center",
        gap: 6,
        overflow: "hidden",
      }}
    >
      <Waves seed={sheet.colours.waves} width={SIDE} height={SIDE} />
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
        <Titles sheet={sheet} size={round ? 11 : 12} />
      </View>
    </View>
  );
}

/** A sheet of six stickers on one A4 page. */
function StickersPage({ sheet, round }: { sheet: PosterSheet; round: boolean }) {
  const gap = (A4.width - ACROSS * SIDE) / (ACROSS + 1);
  const rows = (A4.height - DOWN * SIDE) / (DOWN + 1);
  return (
    <Page size="A4" style={{ backgroundColor: "#ffffff" }}>
      {PLACES.map((place) => (
        <View
          key={place}
          style={{
            position: "absolute",
            left: gap + (place % ACROSS) * (SIDE + gap),
            top: rows + Math.floor(place / ACROSS) * (SIDE + rows),
          }}
        >
          <Sticker sheet={sheet} round={round} />
        </View>
      ))}
    </Page>
  );
}

const QR = 270;
/** Of the image at the top, in points. */
const HEAD = { width: A4.width, height: 250 };

/** A poster of one A4 page: the image and the names, and the code between its lines. */
function PosterPage({ sheet }: { sheet: PosterSheet }) {
  const place = { position: "absolute", top: 0, left: 0, ...HEAD } as const;
  const [above, below] = sheet.lines;
  return (
    <Page size="A4" style={{ backgroundColor: "#ffffff" }}>
      <View
        style={{
          ...HEAD,
          backgroundColor: sheet.colours.via,
          justifyContent: "center",
          alignItems: "center",
          overflow: "hidden",
        }}
      >
        {sheet.background && <Image src={sheet.background} style={place} />}
        {sheet.background && (
          <View style={{ ...place, backgroundColor: sheet.colours.to, opacity: PICTURE_SHADE }} />
        )}
        <Waves seed={sheet.colours.waves} {...HEAD} />
        <PosterLogo sheet={sheet} side={72} below={12} />
        <PosterNames names={sheet.names} most={sheet.logo && sheet.names.length > 1 ? 34 : 44} width={500} />
      </View>
      <View style={{ flexGrow: 1, alignItems: "center", justifyContent: "space-evenly", padding: 30 }}>
        {above && <PosterLine {...above} size={25} />}
        <Code sheet={sheet} side={QR} />
        {below && <PosterLine {...below} size={25} />}
        <BidiText size={10} color={QUIET}>
          {sheet.link}
        </BidiText>
      </View>
    </Page>
  );
}

export type PosterPdf = { fileName: string; bytes: Buffer };

// Drawing a sheet takes a second of processor time.
const PER_PERSON: GuardLimit = { name: "poster", points: 30, seconds: 60 };

// Pixels per point: sharp in print, and still a small file.
const SCALE = 3;
/** Pixels of the code and of the logo, for the largest place of each. */
const QR_PIXELS = 270 * SCALE;
const LOGO_PIXELS = 84 * SCALE;
const dataUrl = (type: string, bytes: Buffer) => `data:${type};base64,${bytes.toString("base64")}`;

async function background(key: string | null): Promise<string | null> {
  if (key === null) return null;
  const size = { width: Math.round(HEAD.width * SCALE), height: HEAD.height * SCALE };
  const bytes = await readImage(key, { format: "jpeg", ...size }).catch(() => null);
  return bytes && dataUrl("image/jpeg", bytes);
}

const select = {
  publicId: true,
  businessName: true,
  businessNameAr: true,
  imageKey: true,
  logoKey: true,
  colour: true,
  status: true,
  statusReason: true,
} as const;

/** The approved merchant of the caller: before the approval its link does not work. */
async function approvedMerchant(ctx: Context, id: string) {
  const merchant = await ctx.db.merchant.findFirst({ where: { id }, select });
  if (merchant?.status === "pending") throw new DomainError("merchant_pending");
  if (merchant?.status === "rejected")
    throw new DomainError("merchant_rejected", { reason: merchant.statusReason ?? "" });
  if (!merchant) throw new DomainError("merchant_unavailable");
  return { id, ...merchant };
}

const FILE_NAMES: Record<PosterKind, string> = {
  poster: "poster",
  counter: "counter-card",
  square: "stickers",
  round: "round-stickers",
};

function PosterDocument({ kind, sheet }: { kind: PosterKind; sheet: PosterSheet }) {
  return (
    <Document title={sheet.names[0]}>
      {kind === "poster" && <PosterPage sheet={sheet} />}
      {kind === "counter" && <CounterCardPage sheet={sheet} />}
      {(kind === "square" || kind === "round") && <StickersPage sheet={sheet} round={kind === "round"} />}
    </Document>
  );
}

/**
 * The caller's merchant's sign-up link as a QR code to print, in English, Arabic or both: a poster, a counter card or
 * stickers, on one A4 page; 30 a minute. Throws merchant_pending or merchant_rejected while the merchant is not approved,
 * rate_limited.
 */
export const posterPdf = operation({
  permission: "merchant.profile",
  input: posterSchema,
  readOnly: true,
  run: async (ctx, { kind, language }): Promise<PosterPdf> => {
    const merchantId = targetMerchantId(ctx.reach, undefined);
    const merchant = await approvedMerchant(ctx, merchantId);
    await consume(ctx.db, PER_PERSON, ctx.actor.userId);
    const link = `${env().APP_URL}/customer/signup/${merchant.publicId}`;
    const [qr, logo, picture, colours] = await Promise.all([
      toBuffer(link, { width: QR_PIXELS, margin: 0, errorCorrectionLevel: "M" }),
      readLogo(merchant.logoKey, LOGO_PIXELS),
      kind === "poster" ? background(merchant.imageKey) : null,
      coloursOfMerchant(ctx.db, merchant),
    ]);
    const locales = language === "both" ? LOCALES : [language];
    await registerFonts();
    const sheet: PosterSheet = {
      colours,
      names: language === "both" ? merchantNames(merchant) : [merchantName(merchant, language)],
      background: picture,
      logo: logo && dataUrl("image/png", logo),
      qr: dataUrl("image/png", qr),
      lines: locales.map((locale) => {
        const t = translator(locale);
        return {
          title: t("merchants.poster.title"),
          steps: t("merchants.poster.steps"),
          fold: t("merchants.poster.fold"),
        };
      }),
      link,
    };
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
