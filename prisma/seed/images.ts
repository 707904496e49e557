import sharp from "sharp";
import type { DemoMerchant } from "./people";

const WIDTH = 1200;
const HEIGHT = 756;

const CUP = `<path d="M-92-70h184l-18 150a44 44 0 0 1-44 38h-60a44 44 0 0 1-44-38z"/>
  <path d="M84-40h26a44 44 0 0 1 0 88H74" fill="none" stroke-width="18"/>
  <path d="M-40-104c-22-26 22-40 0-70M10-104c-22-26 22-40 0-70M60-104c-22-26 22-40 0-70" fill="none" stroke-width="12" stroke-linecap="round"/>`;
const BOOK = `<path d="M0-70c-40-30-100-34-150-24v150c50-10 110-6 150 24 40-30 100-34 150-24V-94C100-104 40-100 0-70z"/>
  <path d="M0-70V80" stroke-width="8" stroke-opacity=".45"/>`;

/** Rings like the marks of a cup on a table, the same in every run. */
function rings(accent: string): string {
  const places = [
    [140, 610, 210],
    [330, 90, 120],
    [1060, 690, 260],
    [760, 40, 90],
    [560, 700, 70],
  ];
  return places
    .map(
      ([x, y, r]) =>
        `<circle cx="${x}" cy="${y}" r="${r}" fill="none" stroke="${accent}" stroke-opacity=".16" stroke-width="26"/>`,
    )
    .join("");
}

/** Draws a merchant's business image: its colours, and a symbol of what it sells. Answers a PNG. */
export function drawBusinessImage({ image: { from, to, accent, sign } }: DemoMerchant): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
    <defs>
      <linearGradient id="ground" x1="0" y1="0" x2="1" y2="1">
        <stop offset="0" stop-color="${from}"/><stop offset="1" stop-color="${to}"/>
      </linearGradient>
      <radialGradient id="light" cx=".82" cy=".12" r=".9">
        <stop offset="0" stop-color="#fff" stop-opacity=".28"/><stop offset="1" stop-color="#fff" stop-opacity="0"/>
      </radialGradient>
    </defs>
    <rect width="100%" height="100%" fill="url(#ground)"/>
    ${rings(accent)}
    <rect width="100%" height="100%" fill="url(#light)"/>
    <g transform="translate(920 330) scale(1.5)" fill="${accent}" fill-opacity=".5" stroke="${accent}" stroke-opacity=".5">
      ${sign === "cup" ? CUP : BOOK}
    </g>
  </svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

const LOGO_SIDE = 512;

/** Draws a merchant's logo: the symbol of what it sells in its colour. Answers a PNG with a clear ground. */
export function drawLogo({ image: { sign } }: DemoMerchant, colour: string): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${LOGO_SIDE}" height="${LOGO_SIDE}">
    <circle cx="256" cy="256" r="232" fill="none" stroke="${colour}" stroke-width="20"/>
    <g transform="translate(244 276) scale(1.18)" fill="${colour}" stroke="${colour}">
      ${sign === "cup" ? CUP : BOOK}
    </g>
  </svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}
