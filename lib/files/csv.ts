/**
 * Matches the places where spreadsheets read a formula: the beginning of a cell, and after a semicolon, a tab
 * or a line break. Unseen characters may come before the formula. Some spreadsheets (in Arabic, for example)
 * begin the next cell at those separators, even inside quotes.
 */
const FORMULA = /(^|[;\t\r\n])(?=[\s\p{Cf}]*[=+\-@＝＋－＠])/gu;

/** One cell in the format of RFC 4180. An apostrophe marks a text that looks like a formula; numbers stay numbers. */
export function csvCell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = value.replace(FORMULA, "$1'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One line with its line end. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

/** The lines of rows that come in parts. */
export async function* linesOf<T>(
  parts: AsyncIterable<T[]>,
  line: (row: T) => string,
): AsyncGenerator<string> {
  for await (const part of parts) yield part.map(line).join("");
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
