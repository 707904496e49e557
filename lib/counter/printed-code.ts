import { crc32, deflateSync } from "node:zlib";
import QRCode from "qrcode";

/** Modules of light space around the code, and pixels of the picture's side. */
const MARGIN = 2;
const SIDE = 320;
/**
 * Pictures that are kept, of about 1.5 kB each: drawing one takes longer than everything else that opening a customer
 * does.
 */
const KEPT = 2_000;
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const drawn = new Map<string, string>();

/** A part of a PNG file: its length, name and data, and their checksum. */
function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const whole = Buffer.alloc(named.length + 8);
  whole.writeUInt32BE(data.length, 0);
  named.copy(whole, 4);
  whole.writeUInt32BE(crc32(named), named.length + 4);
  return whole;
}

/** Which module each pixel of a row or column shows; -1 in the light space. The same rounding as the library's drawing. */
function modulesAlong(size: number): number[] {
  const scale = SIDE / (size + 2 * MARGIN);
  const [side, space] = [Math.floor((size + 2 * MARGIN) * scale), MARGIN * scale];
  return Array.from({ length: side }, (_, at) =>
    at >= space && at < side - space ? Math.floor((at - space) / scale) : -1,
  );
}

/** The pixels of a code: one bit each, 1 is light; each row starts with the number of its filter, 0. */
function pixelsOf(modules: { size: number; data: Uint8Array }): { side: number; pixels: Buffer } {
  const { size, data } = modules;
  const along = modulesAlong(size);
  const row = Math.ceil(along.length / 8) + 1;
  const pixels = Buffer.alloc(row * along.length, 0xff);
  for (const [y, down] of along.entries()) {
    pixels[y * row] = 0;
    if (down < 0) continue;
    for (const [x, across] of along.entries()) {
      if (across < 0 || !data[down * size + across]) continue;
      const at = y * row + 1 + (x >> 3);
      pixels[at] = (pixels[at] ?? 0) & ~(0x80 >> (x & 7));
    }
  }
  return { side: along.length, pixels };
}

function draw(text: string): string {
  const { side, pixels } = pixelsOf(QRCode.create(text).modules);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // One bit a pixel, black and white.
  header[8] = 1;
  const parts = [
    SIGNATURE,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(pixels)),
    chunk("IEND", Buffer.alloc(0)),
  ];
  return `data:image/png;base64,${Buffer.concat(parts).toString("base64")}`;
}

/** The picture of the QR code of a text, as a data URL: a black and white PNG, 320 pixels wide. */
export function printedCode(text: string): string {
  const known = drawn.get(text);
  if (known) return known;
  const made = draw(text);
  drawn.set(text, made);
  // The oldest is first.
  if (drawn.size > KEPT) drawn.delete(drawn.keys().next().value ?? "");
  return made;
}
