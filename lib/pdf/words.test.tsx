import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Document, Page, renderToBuffer } from "@react-pdf/renderer";
import sharp from "sharp";
import { expect, test } from "vitest";
import { isRtl, registerFonts, runsOf, Words } from "./words";

const folder = mkdtempSync(join(tmpdir(), "wallet-words-"));
const STORED = join(import.meta.dirname, "arabic-run.png");

/** A line as it is printed, in grey pixels. */
async function printed(line: string): Promise<string> {
  registerFonts();
  const bytes = await renderToBuffer(
    <Document>
      <Page size={[260, 90]} wrap={false} style={{ padding: 8 }}>
        <Words size={18} color="#000000">
          {line}
        </Words>
      </Page>
    </Document>,
  );
  const stem = join(folder, String(line.length));
  writeFileSync(`${stem}.pdf`, bytes);
  execFileSync("pdftoppm", ["-r", "144", "-gray", "-png", "-singlefile", `${stem}.pdf`, stem]);
  return `${stem}.png`;
}

const pixels = (path: string) => sharp(path).greyscale().blur(1.2).raw().toBuffer();

test("Arabic letters stand joined, from the right, as in the stored picture", async () => {
  const path = await printed("بيت الكرك 350 نقطة.");
  const [now, stored] = [await pixels(path), await pixels(STORED)];
  expect(now.length).toBe(stored.length);
  const apart = now.reduce((sum, value, index) => sum + Math.abs(value - (stored[index] ?? 0)), 0);
  // Renderers smooth edges a little differently; a letter that stands alone or elsewhere is far more.
  expect(apart / now.length).toBeLessThan(1.5);
});

test("another order of the same words is another picture", async () => {
  const other = await pixels(await printed("نقطة 350 الكرك بيت"));
  const stored = await pixels(STORED);
  const apart = other.reduce((sum, value, index) => sum + Math.abs(value - (stored[index] ?? 0)), 0);
  expect(apart / other.length).toBeGreaterThan(3);
});

test("runs keep their script, and a line reads as its first letter does", () => {
  expect(runsOf("12 سبتمبر 2026").map((run) => run.text)).toEqual(["12", "سبتمبر", "2026"]);
  expect(isRtl("288 نقطة")).toBe(true);
  expect(isRtl("Karak بيت")).toBe(false);
  expect(isRtl("layla@customer.test")).toBe(false);
});
