import { join } from "node:path";
import { Font } from "@react-pdf/renderer";

export const LATIN = "Plex Latin";
export const ARABIC = "Plex Arabic";

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
