import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Locator } from "@playwright/test";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";

// Its own way would be to fetch the program from a CDN.
const wasm = createRequire(import.meta.url).resolve("zxing-wasm/reader/zxing_reader.wasm");
prepareZXingModule({ overrides: { wasmBinary: Uint8Array.from(readFileSync(wasm)).buffer } });

/** The text of the QR codes in a picture (PNG or JPEG). */
export async function decodeQr(picture: Uint8Array): Promise<string[]> {
  const found = await readBarcodes(Uint8Array.from(picture), { formats: ["QRCode"], tryHarder: true });
  return found.map(({ text }) => text);
}

/** What a phone's camera would read from this part of the page. Throws when it reads nothing. */
export async function scan(part: Locator): Promise<string> {
  const [text] = await decodeQr(await part.screenshot({ scale: "device" }));
  if (!text) throw new Error("There is no readable QR code in the picture.");
  return text;
}
