import { expect, test } from "vitest";
import { wavePaths, waveSeed, waveTile } from "./waves";

const TILE = 192;
/** The height of a line at its start and at the end of each of its curves, which are relative. */
function heightsOf(path: string): number[] {
  const [first = "", ...curves] = path.split(/[cs]/);
  let y = Number(first.split(" ")[1]);
  const heights = [y];
  for (const curve of curves) {
    y = Math.round((y + Number(curve.trim().split(" ").at(-1))) * 10) / 10;
    heights.push(y);
  }
  return heights;
}
const ends = (path: string) => ({ first: heightsOf(path)[0], last: heightsOf(path).at(-1) });
const ids = Array.from({ length: 200 }, (_, nth) => `merchant ${nth}`);

test("a merchant's waves never change, and hardly any two merchants share theirs", () => {
  const drawn = ids.map((id) => wavePaths(waveSeed(id)).join());
  expect(ids.map((id) => wavePaths(waveSeed(id)).join())).toEqual(drawn);
  expect(new Set(drawn).size).toBe(ids.length);
});

test("a tile repeats without a seam, across and down", () => {
  for (const id of ids) {
    const paths = wavePaths(waveSeed(id));
    for (const path of paths) expect(ends(path).last, id).toBe(ends(path).first);
    const starts = paths.map((path) => ends(path).first ?? 0);
    // Two lines above and two below belong to the neighbours: the lines of one tile are those in between.
    const lines = paths.length - 5;
    for (let line = 0; line < paths.length - lines; line++)
      expect(Math.abs((starts[line + lines] ?? 0) - (starts[line] ?? 0) - TILE), id).toBeLessThan(0.11);
  }
});

test("lines of one note never cross", () => {
  for (const id of ids) {
    const heights = wavePaths(waveSeed(id)).map(heightsOf);
    for (let line = 1; line < heights.length; line++)
      for (const [at, y] of heights[line]?.entries() ?? [])
        expect(y, id).toBeGreaterThan(heights[line - 1]?.[at] ?? 0);
  }
});

test("a tile is a small CSS image that no quote or sign breaks", () => {
  for (const id of ids) {
    const tile = waveTile(waveSeed(id));
    expect(tile).toMatch(/^url\("data:image\/svg\+xml,[^"#<>]+"\)$/);
    expect(tile.length).toBeLessThan(4_500);
  }
});
