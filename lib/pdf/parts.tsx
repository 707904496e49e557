import { join } from "node:path";
import { Font, Path, Text, View } from "@react-pdf/renderer";
import { toBuffer } from "qrcode";
import { WAVE_OPACITY, wavePaths } from "@/lib/cards/model/waves";
import { readImage } from "@/lib/files/attach";
import { readLogo } from "@/lib/files/logo";

const RANGES = "\\u0600-\\u06ff\\u0750-\\u077f\\ufb50-\\ufdff\\ufe70-\\ufeff";
const ARABIC_LETTER = new RegExp(`[${RANGES}]`);
const RUNS = new RegExp(`[${RANGES}]+(?:\\s+[${RANGES}]+)*|[^${RANGES}]+`, "g");
const FIRST_LETTER = new RegExp(`[${RANGES}]|\\p{L}`, "u");

type TextRun = { text: string; before: boolean; after: boolean };

/** The brackets, and at the same places those that they become. */
const MIRRORED = ["()[]{}«»", ")(][}{»«"] as const;

/** Cuts the brackets off a part that is not Arabic which close or open the Arabic text beside it. */
function cutBrackets(part: string): string[] {
  const [head = ""] = /^[^\p{L}\p{N}]*[)\]}»]\s*/u.exec(part) ?? [];
  const rest = part.slice(head.length);
  const [tail = ""] = /\s*[([{«][^\p{L}\p{N}]*$/u.exec(rest) ?? [];
  return [head, rest.slice(0, rest.length - tail.length), tail];
}

/** Signs without letters and digits as they are drawn from the left in a line that is read from the right. */
const mirror = (signs: string): string =>
  /[\p{L}\p{N}]/u.test(signs)
    ? signs
    : Array.from(signs, (sign) => MIRRORED[1][MIRRORED[0].indexOf(sign)] ?? sign)
        .reverse()
        .join("");

/** Runs of one script, for a direction each. A right-to-left line has brackets around Arabic mirrored. */
export function splitRuns(text: string): TextRun[] {
  const rtl = isRtl(text);
  const parts = (text.match(RUNS) ?? []).flatMap((part) => (rtl ? cutBrackets(part) : [part]));
  return parts.flatMap((part) => {
    const run = {
      text: rtl && !ARABIC_LETTER.test(part) ? mirror(part.trim()) : part.trim(),
      before: /^\s/.test(part),
      after: /\s$/.test(part),
    };
    return run.text === "" ? [] : [run];
  });
}

/** Whether a line is right to left, which its first letter decides. */
export function isRtl(text: string): boolean {
  return ARABIC_LETTER.test(FIRST_LETTER.exec(text)?.[0] ?? "");
}

// A letter that the fonts lack, and that Unicode does not take apart.
const PLAIN: Record<string, string> = { đ: "d" };

/** A letter that the font lacks loses its marks or becomes "?": the renderer would print some other one. */
function drawable(text: string, fontWeight: number): string {
  const font = Font.getFont({ fontFamily: FAMILY, fontWeight }).data;
  const has = (letter: string) => font?.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0) ?? true;
  return Array.from(text, (letter) => {
    if (has(letter)) return letter;
    const plain = PLAIN[letter] ?? letter.normalize("NFKD").replace(/[\p{M}\p{Cf}]/gu, "");
    return Array.from(plain).every(has) ? plain : "?";
  }).join("");
}

type BidiTextProps = {
  children: string;
  size: number;
  color: string;
  bold?: boolean;
  /** Margin above, in points. */
  above?: number;
};

/** Lays out a line by runs, an Arabic one from the right: the renderer orders mixed lines left to right. */
export function BidiText({ children, size, color, bold = false, above = 0 }: BidiTextProps) {
  const rtl = isRtl(children);
  const space = size * 0.26;
  const font = {
    fontFamily: FAMILY,
    fontSize: size,
    color,
    fontWeight: bold ? 600 : 400,
    textAlign: rtl ? "right" : "left",
  } as const;
  return (
    <View style={{ flexDirection: rtl ? "row-reverse" : "row", flexWrap: "wrap", marginTop: above }}>
      {splitRuns(children).map((run, index) => (
        <Text
          // biome-ignore lint/suspicious/noArrayIndexKey: the runs of one text never move
          key={index}
          style={{
            ...font,
            marginLeft: (rtl ? run.after : run.before) ? space : 0,
            marginRight: (rtl ? run.before : run.after) ? space : 0,
          }}
        >
          {drawable(run.text, font.fontWeight)}
        </Text>
      ))}
    </View>
  );
}

const FAMILY = "IBM Plex Sans Arabic";
const FACES = [
  ["400Regular/IBMPlexSansArabic_400Regular.ttf", 400],
  ["600SemiBold/IBMPlexSansArabic_600SemiBold.ttf", 600],
] as const;
type FontData = NonNullable<ReturnType<typeof Font.getFont>["data"]>;

/**
 * A letter with dots is drawn from the one without, which enters the font's cache without its code point, and every later
 * PDF of the process would show the letter but have no text for it. The first use by itself brings the code point.
 */
function keepCodePoints(font: FontData): void {
  const glyphOf = font.getGlyph.bind(font);
  font.getGlyph = (id: number, codePoints: number[] = []) => {
    const glyph = glyphOf(id, codePoints);
    if (glyph && glyph.codePoints.length === 0) Object.assign(glyph, { codePoints });
    return glyph;
  };
}

async function loadFonts(): Promise<void> {
  // TrueType: the renderer would unpack all of a WOFF's letters again for each letter that it prints.
  const folder = join(process.cwd(), "node_modules/@expo-google-fonts/ibm-plex-sans-arabic");
  const fonts = FACES.map(([file, fontWeight]) => ({ src: join(folder, file), fontWeight }));
  Font.register({ family: FAMILY, fonts });
  for (const { fontWeight } of fonts) {
    await Font.load({ fontFamily: FAMILY, fontWeight });
    const font = Font.getFont({ fontFamily: FAMILY, fontWeight }).data;
    if (font) keepCodePoints(font);
  }
  // No hyphenation: it would change ids and e-mails.
  Font.registerHyphenationCallback((word) => [word]);
}

let loaded: Promise<void> | undefined;

/** Registers the fonts with the PDF renderer and loads them, once per process. */
export function registerFonts(): Promise<void> {
  loaded ??= loadFonts();
  return loaded;
}

/** Image pixels per printed point: sharp in print, and still a small file. */
const SCALE = 3;

const dataUrl = (type: "png" | "jpeg", bytes: Buffer) =>
  `data:image/${type};base64,${bytes.toString("base64")}`;

/** A picture of this size in points, as a data URL; null without one. An unreadable one is omitted, as on the web card. */
export async function printedPicture(
  key: string | null,
  { width, height }: { width: number; height: number },
): Promise<string | null> {
  if (key === null) return null;
  const pixels = { width: Math.round(width * SCALE), height: Math.round(height * SCALE) };
  const bytes = await readImage(key, { format: "jpeg", ...pixels }).catch(() => null);
  return bytes && dataUrl("jpeg", bytes);
}

/** A logo on its white square of this many points, as a data URL; null without one. */
export async function printedLogo(key: string | null, side: number): Promise<string | null> {
  const bytes = await readLogo(key, side * SCALE);
  return bytes && dataUrl("png", bytes);
}

/** A QR code of this many points, as a data URL. */
export async function printedCode(text: string, side: number): Promise<string> {
  return dataUrl("png", await toBuffer(text, { width: side * SCALE, margin: 0, errorCorrectionLevel: "M" }));
}

/** The waves of a merchant's banknote inside an `Svg`, in points. */
export const WavePaths = ({ seed, width, height }: { seed: number; width: number; height: number }) =>
  wavePaths(seed, width, height).map((path) => (
    <Path key={path} d={path} stroke="#ffffff" strokeOpacity={WAVE_OPACITY} strokeWidth={0.7} fill="none" />
  ));
