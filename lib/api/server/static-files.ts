import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { extname, join } from "node:path";
import { BUILD_POLICY, SECURITY_HEADERS } from "../content-policy";

const PREFIX = "/_next/static/";
const ENDING = ".br";
const TYPES: Record<string, string> = { ".js": "application/javascript", ".css": "text/css" };
const BROTLI = /(?:^|,)\s*br\s*(?:,|$)/;

/**
 * Serves the scripts and styles that the build compressed with Brotli (scripts/lib/build.ts) from memory. Next would
 * compress each again for each visitor, with gzip: a sixth more on the line. The row of targets.md is Lighthouse.
 * Answers false, and does nothing, for another file and for a client that does not take Brotli.
 */
export function staticFiles(folder: string): (request: IncomingMessage, response: ServerResponse) => boolean {
  const files = new Map<string, { body: Buffer; type: string }>();
  // A CDN may serve them, and then the server has none.
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
  for (const name of names) {
    const type = name.endsWith(ENDING) && TYPES[extname(name.slice(0, -ENDING.length))];
    if (type)
      files.set(`${PREFIX}${name.slice(0, -ENDING.length)}`, {
        body: readFileSync(join(folder, name)),
        type,
      });
  }
  return (request, response) => {
    const { method, headers, url = "" } = request;
    if (!url.startsWith(PREFIX) || (method !== "GET" && method !== "HEAD")) return false;
    const file = files.get(url.split("?", 1)[0] ?? "");
    if (!file || headers.range !== undefined || !BROTLI.test(headers["accept-encoding"] ?? "")) return false;
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
    response.writeHead(200, {
      "Content-Security-Policy": BUILD_POLICY,
      "Cache-Control": "public, max-age=31536000, immutable",
      "Content-Type": `${file.type}; charset=UTF-8`,
      "Content-Encoding": "br",
      "Content-Length": file.body.byteLength,
      Vary: "Accept-Encoding",
    });
    response.end(method === "HEAD" ? undefined : file.body);
    return true;
  };
}
