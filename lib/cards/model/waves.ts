/** A drawing of lines that repeats without a seam, in a square tile of `TILE` pixels. */
const TILE = 192;
/** A line is drawn in so many curves for each tile. */
const CURVES = 8;

/** Whole numbers from a seed (mulberry32): the same ones for the same seed, on every machine. */
function numbersFrom(seed: number): (least: number, most: number) => number {
  let state = seed >>> 0;
  return (least, most) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return least + (((mixed ^ (mixed >>> 14)) >>> 0) % (most - least + 1));
  };
}

/** The number from which a merchant's waves are drawn. It follows from its id, so it never changes. */
export function waveSeed(merchantId: string): number {
  let sum = 0;
  for (const letter of merchantId) sum = (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0;
  return sum;
}

const round = (value: number) => Math.round(value * 10) / 10;

/** The waves as SVG paths over this area. In an area of whole tiles the pattern repeats without a seam. */
export function wavePaths(seed: number, width: number = TILE, height: number = TILE): string[] {
  const number = numbersFrom(seed);
  const lines = number(10, 14);
  const swell = (least: number, most: number, turns: number) => ({
    height: number(least, most) / 10,
    turns,
    start: (number(0, 359) * Math.PI) / 180,
    drift: number(1, 2) * (number(0, 1) ? 1 : -1),
  });
  const swells = [swell(70, 110, number(1, 2)), swell(18, 40, number(3, 4))];
  const gap = TILE / lines;
  const at = (line: number, x: number) => {
    let [y, slope] = [line * gap, 0];
    for (const one of swells) {
      const along = (2 * Math.PI * one.turns) / TILE;
      const angle = along * x + one.start + (2 * Math.PI * one.drift * line) / lines;
      y += one.height * Math.sin(angle);
      slope += one.height * along * Math.cos(angle);
    }
    return { y, slope };
  };
  const step = TILE / CURVES;
  // A line that begins outside of the area may reach into it.
  const margin = 2;
  const count = Math.ceil(height / gap);
  return Array.from({ length: count + 2 * margin + 1 }, (_, nth) => {
    const line = nth - margin;
    const first = at(line, 0);
    // Relative and smooth (SVG 2, 9.3.6), to be short: a curve names only the second of its handles.
    let y = round(first.y);
    let path = `M0 ${y}`;
    const third = step / 3;
    for (let x = 0; x < width; x += step) {
      const to = at(line, x + step);
      const by = (value: number) => round(round(value) - y);
      const begin = x === 0 ? `c${round(third)} ${by(first.y + first.slope * third)} ` : "s";
      path += `${begin}${round(2 * third)} ${by(to.y - to.slope * third)} ${round(step)} ${by(to.y)}`;
      y = round(to.y);
    }
    return path;
  });
}

/** The strength of the waves on a card's colours, from 0 to 1. Text on them keeps its contrast. */
export const WAVE_OPACITY = 0.12;
const STROKE = `fill="none" stroke="#fff" stroke-opacity="${WAVE_OPACITY}" stroke-width=".8"`;

/** The waves as an SVG group over an area of this size. */
export const waveGroup = (seed: number, width: number, height: number): string =>
  `<g ${STROKE}>${wavePaths(seed, width, height)
    .map((path) => `<path d="${path}"/>`)
    .join("")}</g>`;

/** One tile of the waves as the value of a CSS background image, which repeats. */
export const waveTile = (seed: number): string => {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${TILE}" height="${TILE}"><path ${STROKE} d="${wavePaths(seed).join("")}"/></svg>`;
  return `url("data:image/svg+xml,${drawing.replaceAll('"', "'").replaceAll("#", "%23").replaceAll("<", "%3C").replaceAll(">", "%3E")}")`;
};
