import { describe, expect, it } from "vitest";
import { cardColours, contrast } from "./card-colours";

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

  it("of a merchant without a picture come from its id and never change", () => {
    const ids = Array.from({ length: 40 }, (_, index) => `merchant ${index}`);
    const all = ids.map((id) => cardColours(id, null, null));
    expect(ids.map((id) => cardColours(id, null, null))).toEqual(all);
    expect(new Set(all.map(({ via }) => via)).size).toBeGreaterThan(5);
    for (const { via } of all) expect(contrast("#ffffff", via)).toBeGreaterThanOrEqual(7);
  });
});
