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

/** A streamed CSV download. The byte-order mark at its start makes Excel read it as UTF-8. */
export function csvResponse(fileName: string, header: string, parts: AsyncIterator<string>): Response {
  const encoder = new TextEncoder();
  let started = false;
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (!started) {
        started = true;
        return controller.enqueue(encoder.encode(`\uFEFF${header}`));
      }
      const part = await parts.next();
      if (part.done) controller.close();
      else controller.enqueue(encoder.encode(part.value));
    },
    async cancel() {
      await parts.return?.();
    },
  });
  return new Response(stream, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${fileName}"`,
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
    },
  });
}

/** The Content-Disposition header of a download: the full name (RFC 5987), and an ASCII name for older clients. */
export function contentDisposition(fileName: string): string {
  const plain = fileName.replace(/[^\x20-\x7e]|["\\]/g, "_");
  const full = encodeURIComponent(fileName).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${full}`;
}
