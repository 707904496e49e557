import { describe, expect, it } from "vitest";
import { cardColours, contrast, parseColour } from "./card-colours";

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
