import { expect, test } from "vitest";
import { csvCell, csvLine, csvResponse } from "./csv";

test.each([
  ["=HYPERLINK(1)", "'=HYPERLINK(1)"],
  ["+974", "'+974"],
  ["-1", "'-1"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1", "'\t=1"],
  ["\r=1", '"\'\r=1"'],
  ["\n=1", '"\'\n=1"'],
  [" =1", "' =1"],
  ["\u200f=1", "'\u200f=1"],
  // Where Arabic spreadsheets separate cells, a text would go on in the next one.
  ["Layla;=HYPERLINK(1)", "Layla;'=HYPERLINK(1)"],
  ["Layla; @SUM(A1)", "Layla;' @SUM(A1)"],
  // There a quote begins a cell, too: what follows it is read as the cell's text.
  ['Layla;"=HYPERLINK(1);x', `"Layla;'""=HYPERLINK(1);x"`],
  ['Layla; ""@SUM(A1)', `"Layla;' """"@SUM(A1)"`],
  ["Layla\t+1", "Layla\t'+1"],
  ["one; two - three", "one; two - three"],
  ['say "hi"', '"say ""hi"""'],
  ["a,b", '"a,b"'],
  ["two\nlines", '"two\nlines"'],
  ["ليلى", "ليلى"],
])("%j is written as %j", (given, written) => {
  expect(csvCell(given)).toBe(written);
});

test("numbers stay numbers, null is empty, lines end with CRLF", () => {
  expect(csvLine([-25, null, "x"])).toBe("-25,,x\r\n");
});

test("the file begins with a byte-order mark, and cancelling the download stops the query", async () => {
  let ended = false;
  async function* parts() {
    try {
      for (;;) yield "row\r\n";
    } finally {
      ended = true;
    }
  }
  const reader = csvResponse("a.csv", "head\r\n", parts()).body?.getReader();
  const first = await reader?.read();
  expect([...(first?.value ?? [])].slice(0, 3)).toEqual([0xef, 0xbb, 0xbf]);
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("row\r\n");
  await reader?.cancel();
  expect(ended).toBe(true);
});
