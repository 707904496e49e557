import sharp from "sharp";
import type { CardColours } from "@/lib/cards/model/card-colours";

type Size = { name: string; width: number; height: number };

const scales = (name: string, width: number, height: number): Size[] =>
  [1, 2, 3].map((scale) => ({
    name: scale === 1 ? `${name}.png` : `${name}@${scale}x.png`,
    width: width * scale,
    height: height * scale,
  }));

// Apple's sizes in points: icon 29, logo up to 160 × 50, a store card's strip 375 × 144.
const ICONS = scales("icon", 29, 29);
const LOGOS = scales("logo", 50, 50);
const STRIPS = scales("strip", 375, 144);

function defaultBackground({ from, via, accent }: CardColours): Buffer {
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="1125" height="432">
    <defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1">
      <stop offset="0" stop-color="${via}"/><stop offset="1" stop-color="${from}"/>
    </linearGradient></defs>
    <rect width="1125" height="432" fill="url(#g)"/>
    <circle cx="980" cy="60" r="240" fill="${accent}" fill-opacity=".18"/>
    <circle cx="150" cy="430" r="300" fill="${accent}" fill-opacity=".12"/>
  </svg>`);
}

async function resizeImage(source: Buffer, { width, height }: Size, dim: boolean): Promise<Buffer> {
  const image = sharp(source).resize(width, height, { fit: "cover" });
  // The balance is shown on the strip, so the strip is darkened to keep it readable on any image.
  return (dim ? image.modulate({ brightness: 0.62 }) : image).png().toBuffer();
}

/**
 * Answers all images of a pass as PNG, by file name. Icon and logo come from the merchant's logo (a square
 * PNG), the rest from its image. A missing one is drawn in the card's colours.
 */
export async function passImages(
  colours: CardColours,
  image: Uint8Array | null,
  logo: Buffer | null,
): Promise<Record<string, Buffer>> {
  const source = image ? Buffer.from(image) : defaultBackground(colours);
  const entries = [
    ...[...ICONS, ...LOGOS].map((size) => ({ size, of: logo ?? source, dim: false })),
    ...STRIPS.map((size) => ({ size, of: source, dim: image !== null })),
  ];
  return Object.fromEntries(
    await Promise.all(
      entries.map(async ({ size, of, dim }) => [size.name, await resizeImage(of, size, dim)] as const),
    ),
  );
}
