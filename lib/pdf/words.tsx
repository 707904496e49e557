import { join } from "node:path";
import { Font, Text, View } from "@react-pdf/renderer";

const RANGES = "\\u0600-\\u06ff\\u0750-\\u077f\\ufb50-\\ufdff\\ufe70-\\ufeff";
const ARABIC_LETTER = new RegExp(`[${RANGES}]`);
const RUNS = new RegExp(`[${RANGES}]+(?:\\s+[${RANGES}]+)*|[^${RANGES}]+`, "g");
const FIRST_LETTER = new RegExp(`[${RANGES}]|\\p{L}`, "u");

/** A piece in one script, and whether spaces stood before and after it. */
export type Run = { text: string; arabic: boolean; before: boolean; after: boolean };

/** A line cut into runs of one script, so that each gets the face that has its letters and its own direction. */
export function runsOf(text: string): Run[] {
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

/** Whether a line reads right to left: as its first letter does. */
export function isRtl(text: string): boolean {
  return ARABIC_LETTER.test(FIRST_LETTER.exec(text)?.[0] ?? "");
}

type Look = {
  children: string;
  size: number;
  color: string;
  bold?: boolean;
  /** Space above, in points. */
  above?: number;
};

/**
 * A line of text. The renderer orders mixed lines as if they were Latin, so the runs are laid out one by one here:
 * from the right when the line is Arabic, while digits, e-mails and Latin names keep their own order.
 */
export function Words({ children, size, color, bold = false, above = 0 }: Look) {
  const rtl = isRtl(children);
  const space = size * 0.26;
  const font = { fontSize: size, color, fontWeight: bold ? 600 : 400 } as const;
  return (
    <View style={{ flexDirection: rtl ? "row-reverse" : "row", flexWrap: "wrap", marginTop: above }}>
      {runsOf(children).map((run, index) => (
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

/** Makes the two faces known to the PDF renderer, once a process. They come from the program itself. */
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
  // No word is broken with a hyphen: an id or an e-mail would no longer be what it says.
  Font.registerHyphenationCallback((word) => [word]);
}
