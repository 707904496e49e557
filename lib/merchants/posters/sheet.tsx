import { Image, View } from "@react-pdf/renderer";
import type { CardColours } from "@/lib/cards/model/card-colours";
import { BidiText } from "@/lib/pdf/bidi-text";

/** What a poster says. Images are data URLs. */
export type PosterSheet = {
  colours: CardColours;
  /** One or two. */
  names: string[];
  background: string | null;
  logo: string | null;
  qr: string;
  /** One for each language. */
  lines: { title: string; steps: string; fold: string }[];
  link: string;
};

const INK = "#0f172a";
export const QUIET = "#475569";
export const A4 = { width: 595.28, height: 841.89 };
/** Points in a centimetre. */
export const CM = 28.3465;

/** The largest size up to `most` in which a name of this length stands on one line of this width, in points. */
const sizeOf = (text: string, most: number, width: number) => Math.min(most, width / (text.length * 0.58));

/** The merchant's names below each other: in one size, as large as the longer one fits, but readable. */
export function PosterNames({
  names,
  most,
  width,
  color = "#ffffff",
}: {
  names: string[];
  most: number;
  width: number;
  color?: string;
}) {
  const size = Math.max(most / 3, Math.min(...names.map((name) => sizeOf(name, most, width))));
  return (
    <View style={{ maxWidth: width, alignItems: "center" }}>
      {names.map((name, index) => (
        <BidiText key={name} size={size} color={color} bold above={index === 0 ? 0 : size * 0.18}>
          {name}
        </BidiText>
      ))}
    </View>
  );
}

/** The logo on its white square; nothing without one. */
export function PosterLogo({ sheet, side, below }: { sheet: PosterSheet; side: number; below: number }) {
  if (!sheet.logo) return null;
  return (
    <Image
      src={sheet.logo}
      style={{ width: side, height: side, borderRadius: side * 0.2, marginBottom: below }}
    />
  );
}

/** The code on white, with the margin that scanners need. */
export function Code({ sheet, side, radius = 12 }: { sheet: PosterSheet; side: number; radius?: number }) {
  return (
    <View style={{ backgroundColor: "#ffffff", borderRadius: radius, padding: side * 0.08 }}>
      <Image src={sheet.qr} style={{ width: side, height: side }} />
    </View>
  );
}

/** A title with what to do below it. */
export function PosterLine({
  title,
  steps,
  size,
  color = INK,
}: {
  title: string;
  steps: string;
  size: number;
  color?: string;
}) {
  return (
    <View style={{ alignItems: "center" }}>
      <BidiText size={size} color={color} bold>
        {title}
      </BidiText>
      <BidiText size={size * 0.56} color={color === INK ? QUIET : color} above={size * 0.16}>
        {steps}
      </BidiText>
    </View>
  );
}
