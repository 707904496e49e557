import { renderToBuffer } from "@react-pdf/renderer";
import { toBuffer } from "qrcode";
import type { Context } from "@/lib/db/context";
import { authorize, merchantOf } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { LOCALES } from "@/lib/domain/roles";
import { env } from "@/lib/env";
import { readImage } from "@/lib/files";
import { translator } from "@/lib/i18n/translate";
import { registerFonts } from "@/lib/pdf/fonts";
import { HEAD, POSTER_QR, PosterDocument } from "./poster-document";

export type PosterPdf = { fileName: string; bytes: Buffer };

// Pixels for each point: sharp at arm's length, and still a small file.
const SCALE = 3;
const dataUrl = (type: string, bytes: Buffer) => `data:${type};base64,${bytes.toString("base64")}`;

async function background(key: string | null): Promise<string | null> {
  if (key === null) return null;
  const size = { width: Math.round(HEAD.width * SCALE), height: HEAD.height * SCALE };
  const bytes = await readImage(key, { format: "jpeg", ...size }).catch(() => null);
  return bytes && dataUrl("image/jpeg", bytes);
}

/**
 * The own merchant's sign-up link as a poster in English and Arabic, one A4 page.
 * Throws merchant_unavailable while the merchant is not approved: its link does not work yet.
 */
export async function posterPdf(ctx: Context, _input: Record<never, never>): Promise<PosterPdf> {
  const merchantId = merchantOf(authorize(ctx.actor, "merchant.profile"), undefined);
  const merchant = await ctx.db.merchant.findFirst({
    where: { id: merchantId, status: "approved" },
    select: { businessName: true, imageKey: true },
  });
  if (!merchant) throw new DomainError("merchant_unavailable");
  const link = `${env().APP_URL}/customer/signup/${merchantId}`;
  const qr = await toBuffer(link, { width: POSTER_QR * SCALE, margin: 0, errorCorrectionLevel: "M" });
  registerFonts();
  const sheet = {
    merchantId,
    businessName: merchant.businessName,
    background: await background(merchant.imageKey),
    qr: dataUrl("image/png", qr),
    lines: LOCALES.map((locale) => {
      const t = translator(locale);
      return { title: t("merchants.poster.title"), steps: t("merchants.poster.steps") };
    }),
    link,
  };
  const bytes = await renderToBuffer(<PosterDocument sheet={sheet} />);
  return { fileName: `${merchant.businessName.trim().replace(/[\s/\\]+/gu, "-")}-poster.pdf`, bytes };
}
posterPdf.permission = "merchant.profile" as const;
