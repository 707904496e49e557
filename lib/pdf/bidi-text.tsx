import { join } from "node:path";
import { Font, Text, View } from "@react-pdf/renderer";

const RANGES = "\\u0600-\\u06ff\\u0750-\\u077f\\ufb50-\\ufdff\\ufe70-\\ufeff";
const ARABIC_LETTER = new RegExp(`[${RANGES}]`);
const RUNS = new RegExp(`[${RANGES}]+(?:\\s+[${RANGES}]+)*|[^${RANGES}]+`, "g");
const FIRST_LETTER = new RegExp(`[${RANGES}]|\\p{L}`, "u");

/** A piece of text in one script, and whether a space precedes and follows it. */
export type TextRun = { text: string; arabic: boolean; before: boolean; after: boolean };

/** Splits a line into runs of one script, so that each gets a font with its letters and its own direction. */
export function splitRuns(text: string): TextRun[] {
  return (text.match(RUNS) ?? []).flatMap((part) => {
    const run = {
      text: part.trim(),
      arabic: ARABIC_LETTER.test(part),
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

type BidiTextProps = {
  children: string;
  size: number;
  color: string;
  bold?: boolean;
  /** Margin above, in points. */
  above?: number;
};

/**
 * A line of text. The PDF renderer orders mixed lines left to right, so this lays out the runs one by one: from the
 * right when the line is Arabic, while digits, e-mails and Latin names keep their order.
 */
export function BidiText({ children, size, color, bold = false, above = 0 }: BidiTextProps) {
  const rtl = isRtl(children);
  const space = size * 0.26;
  const font = { fontSize: size, color, fontWeight: bold ? 600 : 400 } as const;
  return (
    <View style={{ flexDirection: rtl ? "row-reverse" : "row", flexWrap: "wrap", marginTop: above }}>
      {splitRuns(children).map((run, index) => (
        <Text
          // biome-ignore lint/suspicious/noArrayIndexKey: the runs of one text never move
          key={index}
          style={{
            ...font,
            fontFamily: run.arabic ? ARABIC : LATIN,
            marginLeft: (rtl ? run.after : run.before) ? space : 0,
            marginRight: (rtl ? run.before : run.after) ? space : 0,
          }}
        >
          {run.text}
        </Text>
      ))}
    </View>
  );
}

const LATIN = "Plex Latin";
const ARABIC = "Plex Arabic";

let registered = false;

/** Registers the two font families with the PDF renderer, once per process. */
export function registerFonts(): void {
  if (registered) return;
  registered = true;
  const folder = join(process.cwd(), "node_modules/@fontsource/ibm-plex-sans-arabic/files");
  for (const [family, script] of [
    [LATIN, "latin"],
    [ARABIC, "arabic"],
  ] as const) {
    const face = (weight: 400 | 600) => ({
      src: join(folder, `ibm-plex-sans-arabic-${script}-${weight}-normal.woff`),
      fontWeight: weight,
    });
    Font.register({ family, fonts: [face(400), face(600)] });
  }
  // No hyphenation: it would change ids and e-mails.
  Font.registerHyphenationCallback((word) => [word]);
}
