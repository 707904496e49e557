import { WAVE_OPACITY, waveSeed } from "./waves";

/** The colours of a card: a dark gradient of three steps (contrast to white text at least 7:1) and a light accent. */
type Colours = { from: string; via: string; to: string; accent: string };

/** The look of a merchant's banknote: its colours, and the seed of its waves (waves.ts). */
export type CardColours = Colours & { waves: number };

/** The ground of a head: a colour that is dark enough for white text, and the path of the note over it. */
export type NoteGround = { colour: string; path: string };

type Rgb = readonly [number, number, number];
/** Hue in degrees, saturation and lightness from 0 to 1. */
type Hsl = { hue: number; saturation: number; lightness: number };

// For merchants without a picture.
const HUES: readonly Omit<Hsl, "lightness">[] = [
  { hue: 184, saturation: 0.7 },
  { hue: 297, saturation: 0.53 },
  { hue: 216, saturation: 0.63 },
  { hue: 347, saturation: 0.6 },
  { hue: 86, saturation: 0.45 },
  { hue: 30, saturation: 0.74 },
  { hue: 243, saturation: 0.48 },
  { hue: 212, saturation: 0.26 },
];
const MAX_SATURATION = 0.72;
/** WCAG contrast of white text on `via`, and of the accent on a wave over it. */
const WHITE_CONTRAST = 7;
const ACCENT_CONTRAST = 4.6;

/** The share of a card's darkest colour over a picture: white text and SOFT_INK can be read on a white picture. */
export const PICTURE_SHADE = 0.83;

/** The colour of small captions on a merchant's note. */
export const SOFT_INK = "#f1f5f9";

/** A colour such as "#0f5257". */
export const hexOf = (rgb: Rgb): string =>
  `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;

/** A colour as it is typed, with or without "#", as "#0f5257"; null when it is none. */
export function parseColour(typed: string): string | null {
  const digits = /^#?([0-9a-f]{6})$/i.exec(typed.trim())?.[1];
  return digits ? `#${digits.toLowerCase()}` : null;
}

const rgbOf = (hex: string): Rgb => [
  Number.parseInt(hex.slice(1, 3), 16),
  Number.parseInt(hex.slice(3, 5), 16),
  Number.parseInt(hex.slice(5, 7), 16),
];

/** Hue, saturation and lightness of a colour of 0 to 255 a part. */
export function hslOf([r, g, b]: Rgb): Hsl {
  const max = Math.max(r, g, b) / 255;
  const min = Math.min(r, g, b) / 255;
  const span = max - min;
  const lightness = (max + min) / 2;
  if (span === 0) return { hue: 0, saturation: 0, lightness };
  const [red, green, blue] = [r / 255, g / 255, b / 255];
  const sector =
    max === red ? (green - blue) / span : max === green ? 2 + (blue - red) / span : 4 + (red - green) / span;
  return {
    hue: (sector * 60 + 360) % 360,
    saturation: span / (1 - Math.abs(2 * lightness - 1)),
    lightness,
  };
}

function fromHsl({ hue, saturation, lightness }: Hsl): Rgb {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const part = (offset: number) => {
    const place = (offset + hue / 30) % 12;
    return 255 * (lightness - reach * Math.max(-1, Math.min(place - 3, 9 - place, 1)));
  };
  return [part(0), part(8), part(4)];
}

function luminance(hex: string): number {
  const [red, green, blue] = rgbOf(hex).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** WCAG contrast of two colours, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** A colour under another one of this share, from 0 to 1. */
export function under(top: string, share: number, ground: string): string {
  const [low, high] = [rgbOf(ground), rgbOf(top)];
  const mix = (part: 0 | 1 | 2) => high[part] * share + low[part] * (1 - share);
  return hexOf([mix(0), mix(1), mix(2)]);
}

/** A colour of a note under one of its waves, where text is hardest to read. */
export const underWave = (ground: string): string => under("#ffffff", WAVE_OPACITY, ground);

/** Answers the colours of this hue. The middle colour is at most as light as `lightest`. */
function coloursOfHue({ hue, saturation }: Omit<Hsl, "lightness">, lightest = 0.32): Colours {
  const shade = (lightness: number) => hexOf(fromHsl({ hue, saturation, lightness }));
  let lightness = lightest;
  while (contrast("#ffffff", shade(lightness)) < WHITE_CONTRAST) lightness -= 0.01;
  const via = shade(lightness);
  let light = 0.8;
  while (light < 1 && contrast(shade(light), underWave(via)) < ACCENT_CONTRAST) light += 0.01;
  return { from: shade(lightness * 0.74), via, to: shade(lightness * 0.52), accent: shade(light) };
}

/** A merchant's look: of its own colour, darker for white text, else of its picture, else of its id. */
export const cardColours = (merchantId: string, picture: string | null, own: string | null): CardColours => ({
  ...coloursOf(merchantId, picture, own),
  waves: waveSeed(merchantId),
});

function coloursOf(merchantId: string, picture: string | null, own: string | null): Colours {
  if (own) {
    const { lightness, ...tone } = hslOf(rgbOf(own));
    return coloursOfHue(tone, lightness);
  }
  if (picture) {
    const { hue, saturation, lightness } = hslOf(rgbOf(picture));
    // A pale or a nearly black colour has a saturation that nobody sees.
    const seen = saturation * (1 - Math.abs(2 * lightness - 1));
    return coloursOfHue({
      hue,
      saturation: Math.min(saturation, 0.2 * Math.sign(seen) + 1.3 * seen, MAX_SATURATION),
    });
  }
  return coloursOfHue(HUES[waveSeed(merchantId) % HUES.length] as Omit<Hsl, "lightness">);
}
