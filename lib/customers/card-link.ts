import { toString as draw } from "qrcode";
import { env } from "@/lib/env";

/** What a card's QR says: the top-up link of its public id, with the holder's live code on the web card only. */
export function cardLink(publicId: string, code?: string): string {
  const link = `${env().APP_URL}/topup/${publicId}`;
  return code ? `${link}?code=${encodeURIComponent(code)}` : link;
}

/** A QR as an SVG data URL, dark on white without a margin: whoever shows it adds the quiet zone. */
export async function qrPicture(text: string): Promise<string> {
  const svg = await draw(text, { type: "svg", margin: 0, errorCorrectionLevel: "M" });
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
}
