import { toBuffer } from "qrcode";
import sharp from "sharp";
import { expect, test } from "vitest";
import { printedCode } from "./serve-customer";

const bytesOf = (url: string) => Buffer.from(url.replace("data:image/png;base64,", ""), "base64");
const pixelsOf = (png: Buffer) => sharp(png).flatten({ background: "#fff" }).greyscale().raw().toBuffer();

test("the picture has the pixels that the QR code's library draws, in less", async () => {
  for (const text of [
    "https://wallet.example/topup/0199aa10-7c4e-7d11-8a54-5f7e0c3b2d19",
    "a",
    "x".repeat(300),
  ]) {
    const url = printedCode(text);
    const library = await toBuffer(text, { margin: 2, width: 320 });
    const [own, theirs] = await Promise.all([pixelsOf(bytesOf(url)), pixelsOf(library)]);
    expect(own.equals(theirs)).toBe(true);
    expect(bytesOf(url).length).toBeLessThan(library.length);
  }
});
