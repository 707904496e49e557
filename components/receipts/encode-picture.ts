import ReceiptPrinterEncoder, { type Language } from "@point-of-sale/receipt-printer-encoder";

const LANGUAGES: readonly Language[] = ["esc-pos", "star-prnt", "star-line"];
/** From which brightness a dot stays white. */
const THRESHOLD = 160;
/** Lines from the head to the knife. */
const FEED = 4;

/**
 * A picture as the bytes of a printer's language (null: ESC/POS), with the cut and, where asked, the pulse that opens the
 * cash drawer. Null for a language that prints no pictures this way. The width is a multiple of eight dots.
 */
export function encodePicture(
  picture: HTMLCanvasElement,
  language: string | null,
  drawer: boolean,
): Uint8Array | null {
  const spoken = LANGUAGES.find((known) => known === (language ?? "esc-pos"));
  if (!spoken) return null;
  const encoder = new ReceiptPrinterEncoder({ language: spoken, imageMode: "raster", feedBeforeCut: FEED });
  encoder.initialize();
  if (drawer) encoder.pulse();
  const { width, height } = picture;
  return encoder.image(picture, width, height, "threshold", THRESHOLD).cut().encode();
}
