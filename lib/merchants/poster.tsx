import { Document, Image, Page, renderToBuffer, View } from "@react-pdf/renderer";
import { toBuffer } from "qrcode";
import type { Context } from "@/lib/db/context";
import { authorize, targetMerchantId } from "@/lib/domain/actor";
import type { CardColours } from "@/lib/domain/card-colours";
import { DomainError } from "@/lib/domain/errors";
import { LOCALES } from "@/lib/domain/roles";
import { env } from "@/lib/env";
import { readImage } from "@/lib/files/attach";
import { coloursOfMerchant } from "@/lib/files/picture-colour";
import { translator } from "@/lib/i18n/translate";
import { BidiText, registerFonts } from "@/lib/pdf/bidi-text";

export type PosterPdf = { fileName: string; bytes: Buffer };

// Pixels per point: sharp in print, and still a small file.
const SCALE = 3;
const dataUrl = (type: string, bytes: Buffer) => `data:${type};base64,${bytes.toString("base64")}`;

async function background(key: string | null): Promise<string | null> {
  if (key === null) return null;
  const size = { width: Math.round(HEAD.width * SCALE), height: HEAD.height * SCALE };
  const bytes = await readImage(key, { format: "jpeg", ...size }).catch(() => null);
  return bytes && dataUrl("image/jpeg", bytes);
}

/**
 * A poster of the caller's merchant with its sign-up link as a QR code: one A4 page in English and Arabic.
 * Throws merchant_pending or merchant_rejected while the merchant is not approved: its link does not work yet.
 */
export async function posterPdf(ctx: Context, _input: Record<never, never>): Promise<PosterPdf> {
  const merchantId = targetMerchantId(authorize(ctx.actor, "merchant.profile"), undefined);
  const merchant = await ctx.db.merchant.findFirst({
    where: { id: merchantId },
    select: {
      publicId: true,
      businessName: true,
      imageKey: true,
      colour: true,
      status: true,
      statusReason: true,
    },
  });
  if (merchant?.status === "pending") throw new DomainError("merchant_pending");
  if (merchant?.status === "rejected")
    throw new DomainError("merchant_rejected", { reason: merchant.statusReason ?? "" });
  if (!merchant) throw new DomainError("merchant_unavailable");
  const link = `${env().APP_URL}/customer/signup/${merchant.publicId}`;
  const qr = await toBuffer(link, { width: POSTER_QR * SCALE, margin: 0, errorCorrectionLevel: "M" });
  registerFonts();
  const sheet = {
    colours: await coloursOfMerchant(ctx.db, { ...merchant, id: merchantId }),
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
  // The first download counts in the new shop's checklist.
  await ctx.db.merchant.updateMany({
    where: { id: merchantId, posterAt: null },
    data: { posterAt: ctx.clock() },
  });
  return { fileName: `${merchant.businessName.trim().replace(/[\s/\\]+/gu, "-")}-poster.pdf`, bytes };
}
posterPdf.permission = "merchant.profile" as const;

const POSTER_QR = 270;
/** Size of the image at the top of the A4 page, in points (1/72 inch). */
const HEAD = { width: 595.28, height: 250 };

/** The content of a poster. `background` and `qr` are data URLs. */
type PosterSheet = {
  colours: CardColours;
  businessName: string;
  background: string | null;
  qr: string;
  /** One per language: English first, then Arabic. */
  lines: { title: string; steps: string }[];
  link: string;
};

function Head({ sheet }: { sheet: PosterSheet }) {
  const place = { position: "absolute", top: 0, left: 0, ...HEAD } as const;
  return (
    <View
      style={{ ...HEAD, backgroundColor: sheet.colours.from, justifyContent: "center", alignItems: "center" }}
    >
      {sheet.background && <Image src={sheet.background} style={place} />}
      {sheet.background && <View style={{ ...place, backgroundColor: "#000000", opacity: 0.48 }} />}
      <View style={{ maxWidth: 500, alignItems: "center" }}>
        <BidiText size={44} color="#ffffff" bold>
          {sheet.businessName}
        </BidiText>
      </View>
    </View>
  );
}

/** The poster as a PDF document of one A4 page. */
function PosterDocument({ sheet }: { sheet: PosterSheet }) {
  return (
    <Document title={sheet.businessName}>
      <Page size="A4" style={{ backgroundColor: "#ffffff" }}>
        <Head sheet={sheet} />
        <View style={{ flexGrow: 1, alignItems: "center", justifyContent: "space-evenly", padding: 30 }}>
          {sheet.lines.slice(0, 1).map((line) => (
            <Line key={line.title} {...line} />
          ))}
          <Image src={sheet.qr} style={{ width: POSTER_QR, height: POSTER_QR }} />
          {sheet.lines.slice(1).map((line) => (
            <Line key={line.title} {...line} />
          ))}
          <BidiText size={10} color="#475569">
            {sheet.link}
          </BidiText>
        </View>
      </Page>
    </Document>
  );
}

function Line({ title, steps }: { title: string; steps: string }) {
  return (
    <View style={{ alignItems: "center" }}>
      <BidiText size={25} color="#0f172a" bold>
        {title}
      </BidiText>
      <BidiText size={14} color="#475569" above={4}>
        {steps}
      </BidiText>
    </View>
  );
}
