import { ReadableStream } from "node:stream/web";

/**
 * Matches the places where spreadsheets read a formula: the beginning of a cell, and after a semicolon, a tab
 * or a line break. Unseen characters and quotes may come before the formula. Some spreadsheets (in Arabic, for
 * example) begin the next cell at those separators, even inside quotes.
 */
const FORMULA = /(^|[;\t\r\n])(?=[\s\p{Cf}"]*[=+\-@＝＋－＠])/gu;

type Cell = string | number | null;

/** One cell in the format of RFC 4180. An apostrophe marks a text that looks like a formula; numbers stay numbers. */
export function csvCell(value: Cell): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = value.replace(FORMULA, "$1'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One line with its line end. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

/** A streamed CSV download of rows that come in parts. `columns` says what each column has, and `header` its name. */
export function csvTable<Row, Column extends string>(
  fileName: string,
  parts: AsyncIterable<Row[]>,
  columns: { [C in Column]: (row: Row) => Cell },
  header: (column: Column) => string,
): Response {
  const names = Object.keys(columns) as Column[];
  async function* lines() {
    for await (const part of parts)
      yield part.map((row) => csvLine(names.map((name) => columns[name](row)))).join("");
  }
  return csvResponse(fileName, csvLine(names.map(header)), lines());
}

/** The bytes of a CSV file. The byte-order mark at its start makes Excel read it as UTF-8. */
async function* encoded(header: string, parts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  yield encoder.encode(`\uFEFF${header}`);
  for await (const part of parts) yield encoder.encode(part);
}

/** A streamed CSV download. */
export function csvResponse(fileName: string, header: string, parts: AsyncIterable<string>): Response {
  return new Response(ReadableStream.from(encoded(header, parts)) as never, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${fileName}"`,
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
    },
  });
}

/** A file to download, which nobody keeps. */
export function fileResponse(contentType: string, fileName: string, bytes: Uint8Array): Response {
  return new Response(new Uint8Array(bytes), {
    headers: {
      "Content-Type": contentType,
      "Content-Disposition": contentDisposition(fileName),
      "Content-Length": String(bytes.byteLength),
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
    },
  });
}

/** The Content-Disposition header of a download: the full name (RFC 5987), and an ASCII name for older clients. */
function contentDisposition(fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\]/g, "_");
  const full = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${full}`;
}
