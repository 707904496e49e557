import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Locator } from "@playwright/test";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";

// By default the library fetches the WebAssembly from a CDN.
const wasm = createRequire(import.meta.url).resolve("zxing-wasm/reader/zxing_reader.wasm");
prepareZXingModule({ overrides: { wasmBinary: Uint8Array.from(readFileSync(wasm)).buffer } });

/** The text of the QR codes in a picture (PNG or JPEG). */
export async function decodeQr(picture: Uint8Array): Promise<string[]> {
  const found = await readBarcodes(Uint8Array.from(picture), { formats: ["QRCode"], tryHarder: true });
  return found.map(({ text }) => text);
}

/** The text of the QR code in this part of the page, as a phone's camera reads it. Throws an Error without a code. */
export async function scan(part: Locator): Promise<string> {
  const [text] = await decodeQr(await part.screenshot({ scale: "device" }));
  if (!text) throw new Error("There is no readable QR code in the picture.");
  return text;
}
