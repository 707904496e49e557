import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Document, Page, renderToBuffer } from "@react-pdf/renderer";
import sharp from "sharp";
import { expect, test } from "vitest";
import { testFolder } from "@/lib/testing/folder";
import { BidiText, isRtl, registerFonts, splitRuns } from "./parts";

const folder = testFolder("words");
const STORED = join(import.meta.dirname, "arabic-run.png");

/** Renders a line as a PDF page and answers its path without the ending. */
async function renderPdf(line: string): Promise<string> {
  await registerFonts();
  const bytes = await renderToBuffer(
    <Document>
      <Page size={[260, 90]} wrap={false} style={{ padding: 8 }}>
        <BidiText size={18} color="#000000">
          {line}
        </BidiText>
      </Page>
    </Document>,
  );
  const stem = join(folder, String(line.length));
  writeFileSync(`${stem}.pdf`, bytes);
  return stem;
}

/** The path of a line's grey PNG. */
async function renderLine(line: string): Promise<string> {
  const stem = await renderPdf(line);
  execFileSync("pdftoppm", ["-r", "144", "-gray", "-png", "-singlefile", `${stem}.pdf`, stem]);
  return `${stem}.png`;
}

const pixels = (path: string) => sharp(path).greyscale().blur(1.2).raw().toBuffer();

test("Arabic text is joined and right to left, as in the stored image", async () => {
  const path = await renderLine("بيت الكرك 350 نقطة.");
  const [actual, stored] = [await pixels(path), await pixels(STORED)];
  expect(actual.length).toBe(stored.length);
  const difference = actual.reduce((sum, value, index) => sum + Math.abs(value - (stored[index] ?? 0)), 0);
  // Renderers smooth edges slightly differently; an isolated or misplaced letter differs far more.
  expect(difference / actual.length).toBeLessThan(1.5);
});

test("the same words in another order differ from the stored image", async () => {
  const other = await pixels(await renderLine("نقطة 350 الكرك بيت"));
  const stored = await pixels(STORED);
  const difference = other.reduce((sum, value, index) => sum + Math.abs(value - (stored[index] ?? 0)), 0);
  expect(difference / other.length).toBeGreaterThan(3);
});

/** The letters of a text, in any order: pdftotext swaps narrow ones. */
const lettersOf = (text: string) =>
  text
    .match(/\p{Letter}/gu)
    ?.sort()
    .join("");

test("no letter is missing in the text of a PDF, whatever was printed before it", async () => {
  // Letters with dots are drawn from those without, which enter the font's cache as parts first.
  for (const line of ["خجج جخخ خبز جديد", "حجز غرفة", "لشحن رصيدك صحح"]) {
    const stem = await renderPdf(line);
    const text = execFileSync("pdftotext", [`${stem}.pdf`, "-"], { encoding: "utf8" });
    expect(lettersOf(text)).toBe(lettersOf(line));
  }
});

test("a letter that the fonts lack is printed without its marks or as a question mark, never as another one", async () => {
  for (const [line, printed] of [
    ["Şahin Çağlar", "Sahin Çaglar"],
    ["Łukasz Nguyễn đô", "Łukasz Nguyen dô"],
    ["علی خان ٹیپو", "علی خان ٹیپو"],
    ["राज Kumar", "?? Kumar"],
    ["Layla\u200f 😀", "Layla ?"],
  ] as const) {
    const stem = await renderPdf(line);
    const text = execFileSync("pdftotext", [`${stem}.pdf`, "-"], { encoding: "utf8" });
    const signs = (of: string) => [...of.normalize("NFKC").replace(/[\s\p{Cf}]/gu, "")].sort().join("");
    expect(signs(text)).toBe(signs(printed));
  }
});

test("a run has one script, and the first letter decides a line's direction", () => {
  expect(splitRuns("12 سبتمبر 2026").map((run) => run.text)).toEqual(["12", "سبتمبر", "2026"]);
  expect(splitRuns("Karak (كرك) 2").map((run) => run.text)).toEqual(["Karak (", "كرك", ") 2"]);
  expect(isRtl("288 نقطة")).toBe(true);
  expect(isRtl("Karak بيت")).toBe(false);
  expect(isRtl("layla@customer.test")).toBe(false);
});

test("a bracket around Arabic is a run that is mirrored, where the line is right to left", () => {
  const texts = (line: string) => splitRuns(line).map((run) => run.text);
  expect(texts("بيت (الدوحة)")).toEqual(["بيت", ")", "الدوحة", "("]);
  expect(texts("بيت (الدوحة) 2 [كرك]")).toEqual(["بيت", ")", "الدوحة", "(", "2", "]", "كرك", "["]);
  expect(texts("(أ) (ب)")).toEqual([")", "أ", "(", ")", "ب", "("]);
  expect(texts("بيت (Karak) 2")).toEqual(["بيت", "(Karak) 2"]);
  expect(splitRuns("بيت (الدوحة) 2").map(({ before, after }) => [before, after])).toEqual([
    [false, false],
    [true, false],
    [false, false],
    [false, true],
    [false, false],
  ]);
});
