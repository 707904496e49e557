import { renderToBuffer } from "@react-pdf/renderer";
import { toBuffer } from "qrcode";
import type { Context } from "@/lib/db/context";
import { consume, type GuardLimit } from "@/lib/db/rate-limit";
import { targetMerchantId } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { merchantName, merchantNames } from "@/lib/domain/merchant-name";
import { LOCALES } from "@/lib/domain/roles";
import { readImage } from "@/lib/files/attach";
import { readLogo } from "@/lib/files/logo";
import { signupUrl } from "@/lib/files/media-url";
import { coloursOfMerchant } from "@/lib/files/picture-colour";
import { translator } from "@/lib/i18n/translate";
import { operation } from "@/lib/operations/operation";
import { registerFonts } from "@/lib/pdf/bidi-text";
import { posterSchema } from "./model/merchant";
import type { PosterKind } from "./model/poster-kinds";
import { SHOWN } from "./pending-profile";
import { HEAD, PosterDocument, type PosterSheet } from "./poster-pages";

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

const FILE_NAMES: Record<PosterKind, string> = {
  poster: "poster",
  counter: "counter-card",
  square: "stickers",
  round: "round-stickers",
};

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
    const link = signupUrl(merchant.publicId);
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
