import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import sharp from "sharp";
import { type Dots, greyOf } from "@/lib/testing/escpos";
import { onPath } from "@/scripts/lib/tools";

/** The name under which the printer shows itself. */
export const PRINTER = "TM-T20";

/**
 * Plugs a receipt printer into the page's browser: the end of the cable alone, below the browser's own WebUSB, so that the
 * program and its driver run as they are. Answers what came out of the cable so far, a job a print.
 */
export async function plugInPrinter(page: Page): Promise<Uint8Array[]> {
  const jobs: Uint8Array[] = [];
  await page.exposeFunction("printerGot", (bytes: number[]) => void jobs.push(Uint8Array.from(bytes)));
  await page.addInitScript((productName) => {
    const out = { direction: "out", endpointNumber: 1 };
    const interfaces = [{ interfaceNumber: 0, alternate: { endpoints: [out] } }];
    const nothing = async () => undefined;
    const device = {
      productName,
      vendorId: 0x04b8,
      productId: 0x0e28,
      serialNumber: "1",
      ...{
        open: nothing,
        close: nothing,
        reset: nothing,
        selectConfiguration: nothing,
        claimInterface: nothing,
      },
      configuration: { interfaces },
      transferOut: async (_end: number, bytes: Uint8Array) => {
        const { printerGot } = window as unknown as { printerGot: (bytes: number[]) => Promise<void> };
        await printerGot([...bytes]);
      },
    };
    const { usb } = navigator as unknown as { usb: object };
    Object.assign(usb, { requestDevice: async () => device, getDevices: async () => [device] });
  }, PRINTER);
  return jobs;
}

/** A picture of dots as PNG, `scale` times as large. */
export function pngOf(picture: Dots, scale = 1): Promise<Buffer> {
  const { width, height } = picture;
  return sharp(greyOf(picture), { raw: { width, height, channels: 1 } })
    .extend({ top: 8, bottom: 8, left: 8, right: 8, background: "#fff" })
    .resize({ width: (width + 16) * scale, kernel: "cubic" })
    .png()
    .toBuffer();
}

/** The dots inside a box. */
function cut({ width, height, dots }: Dots, box: Box): Dots {
  const left = Math.max(0, Math.floor(box.left));
  const top = Math.max(0, Math.floor(box.top));
  const right = Math.min(width, Math.ceil(box.left + box.width));
  const bottom = Math.min(height, Math.ceil(box.top + box.height));
  const part = new Uint8Array((right - left) * (bottom - top));
  for (let y = top; y < bottom; y++)
    part.set(dots.subarray(y * width + left, y * width + right), (y - top) * (right - left));
  return { width: right - left, height: bottom - top, dots: part };
}

type Box = { left: number; top: number; width: number; height: number };
/** An Arabic text of the paper and where it stands, in dots. */
export type ArabicText = Box & { text: string; inverted: boolean };

/**
 * Lays the receipt on the screen out at the printer's dots, on top of the page, as `[data-slot=on-screen]`. Answers its
 * Arabic texts.
 */
export async function layOut(paper: Locator, dots: number): Promise<ArabicText[]> {
  return paper.evaluate((element, width) => {
    const copy = element.cloneNode(true) as HTMLElement;
    copy.dataset.slot = "on-screen";
    copy.style.cssText = `position:fixed;top:0;left:0;z-index:2147483647;font-size:24px;width:${width}px`;
    document.body.append(copy);
    const origin = copy.getBoundingClientRect();
    return [...copy.querySelectorAll("span, div")]
      .filter(
        ({ childElementCount, textContent }) =>
          childElementCount === 0 && /\p{Script=Arabic}/u.test(textContent ?? ""),
      )
      .map((part) => {
        const range = document.createRange();
        range.selectNodeContents(part);
        const { left, top, width: wide, height } = range.getBoundingClientRect();
        const inverted = getComputedStyle(part).color === "rgb(255, 255, 255)";
        const text = part.textContent ?? "";
        return { text, inverted, left: left - origin.left, top: top - origin.top, width: wide, height };
      });
  }, dots);
}

/** The dots of a part of the page as the browser shows it. */
export async function dotsOf(part: Locator): Promise<Dots> {
  const { data, info } = await sharp(await part.screenshot({ scale: "css" }))
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return {
    width: info.width,
    height: info.height,
    dots: Uint8Array.from(data, (grey) => (grey < 160 ? 1 : 0)),
  };
}

/** Which share of the black dots of one picture has a black dot of the other beside it, at most two dots away. */
export function coverage(of: Dots, by: Dots): number {
  let black = 0;
  let met = 0;
  const near = (x: number, y: number) => {
    for (let down = -2; down <= 2; down++) {
      for (let across = -2; across <= 2; across++) {
        const [column, row] = [x + across, y + down];
        if (column >= 0 && column < by.width && by.dots[row * by.width + column]) return true;
      }
    }
    return false;
  };
  of.dots.forEach((dot, index) => {
    if (!dot) return;
    black++;
    if (near(index % of.width, Math.floor(index / of.width))) met++;
  });
  return black === 0 ? 0 : met / black;
}

/** Whether this machine reads Arabic from pictures (Debian's tesseract-ocr-ara). */
export const readsArabic = (): boolean =>
  onPath("tesseract") !== undefined &&
  /^ara$/m.test(execFileSync("tesseract", ["--list-langs"], { encoding: "utf8" }));

const lettersOf = (text: string) => [...text.normalize("NFKC")].filter((letter) => /\p{L}/u.test(letter));

/** How many letters must be changed, added or taken out to make one text of another. */
function distance(one: readonly string[], other: readonly string[]): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  one.forEach((letter, above) => {
    const next = [above + 1];
    other.forEach((candidate, index) => {
      const changed = (row[index] ?? 0) + (letter === candidate ? 0 : 1);
      next.push(Math.min(changed, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    });
    row = next;
  });
  return row.at(-1) ?? 0;
}

const arabicOf = (text: string) => lettersOf(text).filter((letter) => /\p{Script=Arabic}/u.test(letter));

/** What tesseract reads in a picture with Arabic of one line, or of several. */
async function textIn(picture: Dots, file: string, scale: number): Promise<string> {
  writeFileSync(file, await pngOf(picture, scale));
  const args = [file, "-", "-l", "ara", "--psm", picture.height > 60 ? "6" : "7"];
  // Its threads wait for each other on a busy machine.
  const env = { ...process.env, OMP_THREAD_LIMIT: "1" };
  const stdio = ["ignore" as const, "pipe" as const, "ignore" as const];
  return execFileSync("tesseract", args, { encoding: "utf8", env, stdio }).trim();
}

/**
 * Reads Arabic texts of a picture, each on its own, as printed and twice as large: the better reading counts. Answers how
 * many of their letters were read right, and what was read wrong.
 */
export async function readArabic(picture: Dots, texts: readonly ArabicText[]) {
  const folder = mkdtempSync(join(tmpdir(), "wallet-receipt-"));
  let letters = 0;
  let wrong = 0;
  const misread: string[] = [];
  try {
    for (const { text, inverted, ...box } of texts) {
      const part = cut(picture, box);
      if (inverted) part.dots = part.dots.map((dot) => 1 - dot);
      const file = join(folder, "part.png");
      const readings = [await textIn(part, file, 1), await textIn(part, file, 2)];
      const expected = arabicOf(text);
      const errors = Math.min(...readings.map((read) => distance(expected, arabicOf(read))));
      letters += expected.length;
      wrong += errors;
      if (errors > 0) misread.push(`${text} → ${readings.join(" / ")}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { letters, right: letters - wrong, misread };
}
