import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  cardColours,
  contrast,
  PICTURE_SHADE,
  parseColour,
  SOFT_INK,
  under,
  underWave,
} from "./card-colours";

const parts = ["00", "1f", "56", "88", "c4", "ff"];
const pictures = parts.flatMap((red) =>
  parts.flatMap((green) => parts.map((blue) => `#${red}${green}${blue}`)),
);

describe("the colours of a card", () => {
  it("let white text and the accent be read, whatever colour the picture has", () => {
    for (const picture of pictures) {
      const { from, via, to, accent } = cardColours("any", picture, null);
      for (const ground of [from, via, to])
        expect(contrast("#ffffff", ground), picture).toBeGreaterThanOrEqual(7);
      expect(contrast(accent, via), picture).toBeGreaterThanOrEqual(4.5);
    }
  });

  it("keep the picture's hue, and stay grey for a picture in black and white", () => {
    const [red, green, blue] = [1, 3, 5].map((at) =>
      Number.parseInt(cardColours("any", "#1c9d5a", null).via.slice(at, at + 2), 16),
    );
    expect(green).toBeGreaterThan(red ?? 0);
    expect(green).toBeGreaterThan(blue ?? 0);
    expect(cardColours("any", "#777777", null).via).toMatch(/^#(..)\1\1$/);
  });

  it("are the owner's own colour where white text can be read on it, and else a darker shade of it", () => {
    for (const own of pictures) {
      const { from, via, to, accent } = cardColours("any", "#1c9d5a", own);
      for (const ground of [from, via, to])
        expect(contrast("#ffffff", ground), own).toBeGreaterThanOrEqual(7);
      expect(contrast(accent, via), own).toBeGreaterThanOrEqual(4.5);
      expect(via === own, own).toBe(contrast("#ffffff", own) >= 7);
    }
    expect(cardColours("any", null, "#8a1538").via).toBe("#8a1538");
    expect(cardColours("any", null, "#ffffff").via).toMatch(/^#(..)\1\1$/);
    expect(cardColours("any", "#1c9d5a", null).via).toBe(cardColours("other", "#1c9d5a", null).via);
  });

  it("are parsed from what is typed", () => {
    const typed = ["#8A1538", " 8a1538 ", "#8a153", "red", "#8a15381"];
    expect(typed.map(parseColour)).toEqual(["#8a1538", "#8a1538", null, null, null]);
  });

  it("of a merchant without a picture come from its id and never change", () => {
    const ids = Array.from({ length: 40 }, (_, index) => `merchant ${index}`);
    const all = ids.map((id) => cardColours(id, null, null));
    expect(ids.map((id) => cardColours(id, null, null))).toEqual(all);
    expect(new Set(all.map(({ via }) => via)).size).toBeGreaterThan(5);
    for (const { via } of all) expect(contrast("#ffffff", via)).toBeGreaterThanOrEqual(7);
  });
});

/** Every card: of each own colour, of each colour of a picture, and of shops with neither. */
const cards = [
  ...pictures.flatMap((colour) => [cardColours("any", null, colour), cardColours("any", colour, null)]),
  ...Array.from({ length: 40 }, (_, index) => cardColours(`merchant ${index}`, null, null)),
];
/** Pixels of pictures: greys from black to white, and colours. */
const pixels = [...parts.map((part) => `#${part}${part}${part}`), ...pictures];
const READABLE = 4.5;

describe("text on a note can be read where a wave is behind it", () => {
  it("on the note's own colours: e-mail, poster, pages, and cards without a picture", () => {
    for (const { from, via, to, accent } of cards)
      for (const ground of [from, via, to].map(underWave)) {
        for (const ink of ["#ffffff", SOFT_INK, under("#ffffff", 0.9, ground), accent])
          expect(contrast(ink, ground), via).toBeGreaterThanOrEqual(READABLE);
      }
  });

  it("over every picture: PDF, poster and passes", () => {
    for (const { to } of cards)
      for (const pixel of pixels) {
        const ground = underWave(under(to, PICTURE_SHADE, pixel));
        for (const ink of ["#ffffff", SOFT_INK])
          expect(contrast(ink, ground), `${to} over ${pixel}`).toBeGreaterThanOrEqual(READABLE);
      }
  });

  it("over every picture of the web card, whose texts are white of at least this strength", () => {
    const css = readFileSync(join(import.meta.dirname, "../../../app/card.css"), "utf8");
    const share = (pattern: RegExp) => [...css.matchAll(pattern)].map(([, percent]) => Number(percent) / 100);
    const [scrim = 0] = share(/color-mix\(in srgb, var\(--scrim\) (\d+)%/g);
    const weakest = Math.min(...share(/text-white\/(\d+)/g));
    for (const { via } of cards)
      for (const pixel of pixels) {
        const ground = under(via, scrim, pixel);
        expect(contrast(under("#ffffff", weakest, ground), ground), via).toBeGreaterThanOrEqual(READABLE);
      }
  });
});
