import { Document, Image, Page, renderToBuffer, View } from "@react-pdf/renderer";
import { toBuffer } from "qrcode";
import type { Context } from "@/lib/db/context";
import { authorize, targetMerchantId } from "@/lib/domain/actor";
import { cardColours } from "@/lib/domain/card";
import { DomainError } from "@/lib/domain/errors";
import { LOCALES } from "@/lib/domain/roles";
import { env } from "@/lib/env";
import { readImage } from "@/lib/files/attach";
import { translator } from "@/lib/i18n/translate";
import { registerFonts, Words } from "@/lib/pdf/words";

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
  const merchantId = targetMerchantId(authorize(ctx.actor, "merchant.profile"), undefined);
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

const POSTER_QR = 270;
/** Points of 1/72 inch: the picture at the head of an A4 page. */
const HEAD = { width: 595.28, height: 250 };

/** What the poster says. Pictures are data URLs. */
type PosterSheet = {
  merchantId: string;
  businessName: string;
  background: string | null;
  qr: string;
  /** In English and in Arabic: whoever passes the counter reads one of them. */
  lines: { title: string; steps: string }[];
  link: string;
};

function Head({ sheet }: { sheet: PosterSheet }) {
  const colours = cardColours(sheet.merchantId);
  const place = { position: "absolute", top: 0, left: 0, ...HEAD } as const;
  return (
    <View style={{ ...HEAD, backgroundColor: colours.from, justifyContent: "center", alignItems: "center" }}>
      {sheet.background && <Image src={sheet.background} style={place} />}
      {sheet.background && <View style={{ ...place, backgroundColor: "#000000", opacity: 0.48 }} />}
      <View style={{ maxWidth: 500, alignItems: "center" }}>
        <Words size={44} color="#ffffff" bold>
          {sheet.businessName}
        </Words>
      </View>
    </View>
  );
}

/** A poster for the counter: one A4 page whose code opens the merchant's sign-up. */
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
          <Words size={10} color="#475569">
            {sheet.link}
          </Words>
        </View>
      </Page>
    </Document>
  );
}

function Line({ title, steps }: { title: string; steps: string }) {
  return (
    <View style={{ alignItems: "center" }}>
      <Words size={25} color="#0f172a" bold>
        {title}
      </Words>
      <Words size={14} color="#475569" above={4}>
        {steps}
      </Words>
    </View>
  );
}
