/** A picture of dots: 1 is black. */
export type Dots = { width: number; height: number; dots: Uint8Array };
/** What a printer received: the pictures, one below the other, and what else it did. */
export type Printed = { picture: Dots; pulses: number; cuts: number; text: string };

const ESC = 0x1b;
const FS = 0x1c;
const GS = 0x1d;

/** How many bytes follow these two, for commands that only set something. */
const SETTINGS: Record<string, number> = {
  "1b 40": 0, // initialize
  "1b 4d": 1, // font
  "1b 61": 1, // alignment
  "1b 32": 0, // usual line spacing
  "1b 33": 1, // line spacing
  "1c 2e": 0, // no Chinese characters
};

const hex = (...bytes: number[]) => bytes.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");

/**
 * Reads ESC/POS back as a printer would, of the commands for pictures (GS v 0), cutting and the drawer. Throws an Error for
 * any other command, and for one that breaks off.
 */
export function readEscPos(bytes: Uint8Array): Printed {
  const rows: Uint8Array[] = [];
  let width = 0;
  let pulses = 0;
  let cuts = 0;
  let text = "";
  let at = 0;
  const next = (): number => {
    const byte = bytes[at++];
    if (byte === undefined) throw new Error("a command breaks off");
    return byte;
  };
  const picture = () => {
    const [zero, mode, xLow, xHigh, yLow, yHigh] = [next(), next(), next(), next(), next(), next()];
    if (zero !== 0x30 || mode !== 0) throw new Error(`a picture in mode ${mode}`);
    const across = xLow + 256 * xHigh;
    if (rows.length > 0 && width !== across * 8) throw new Error("two widths in one picture");
    width = across * 8;
    for (let row = yLow + 256 * yHigh; row > 0; row--) {
      rows.push(Uint8Array.from({ length: across }, next));
    }
  };
  while (at < bytes.length) {
    const first = next();
    if (first === 0x0a || first === 0x0d) continue;
    if (first !== ESC && first !== FS && first !== GS) {
      text += String.fromCharCode(first);
      continue;
    }
    const second = next();
    const follow = SETTINGS[hex(first, second)];
    if (follow !== undefined) at += follow;
    else if (first === GS && second === 0x76) picture();
    else if (first === GS && second === 0x56) {
      next();
      cuts++;
    } else if (first === ESC && second === 0x70) {
      at += 3;
      pulses++;
    } else throw new Error(`unknown command ${hex(first, second)}`);
  }
  const dots = new Uint8Array(width * rows.length);
  rows.forEach((row, y) => {
    row.forEach((byte, x) => {
      for (let bit = 0; bit < 8; bit++) dots[y * width + x * 8 + bit] = (byte >> (7 - bit)) & 1;
    });
  });
  return { picture: { width, height: rows.length, dots }, pulses, cuts, text };
}

/** A picture as grey bytes, black 0 and white 255, for sharp's `raw` input. */
export const greyOf = ({ dots }: Dots): Uint8Array => dots.map((dot) => (dot ? 0 : 255));
