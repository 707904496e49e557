import http from "node:http";

/** Milliseconds without a sign of life after which a client gives a request up. */
const PATIENCE = 30_000;
// The clients share the processor with what they ask: fetch takes several times as much of it.
const agent = new http.Agent({ keepAlive: true });

export type Answered = { status: number; headers: http.IncomingHttpHeaders; text: string };

/** POSTs JSON. Throws an Error with a `code` where no whole answer comes: the outcome is open. */
export function postJson(
  url: string,
  body: object,
  headers: Record<string, string | undefined> = {},
): Promise<Answered> {
  const sent = JSON.stringify(body);
  const length = Buffer.byteLength(sent);
  return new Promise((done, fail) => {
    const options = {
      agent,
      method: "POST",
      timeout: PATIENCE,
      headers: { ...headers, "content-type": "application/json", "content-length": length },
    };
    const request = http.request(url, options, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("error", fail);
      answer.on("end", () => {
        const text = Buffer.concat(parts).toString();
        done({ status: answer.statusCode ?? 0, headers: answer.headers, text });
      });
    });
    request.on("timeout", () => {
      request.destroy(Object.assign(new Error(`no answer in ${PATIENCE} ms`), { code: "ETIMEDOUT" }));
    });
    request.on("error", fail);
    request.end(sent);
  });
}

/** A broken connection, a server that is away, an answer that is not whole: the outcome is open. */
export const isOpen = (error: unknown): boolean =>
  error instanceof SyntaxError || (error instanceof Error && "code" in error);

/** A server may only fail with 503, and says when to come again. */
export const isSenseless = (status: number, retryAfter: unknown): boolean =>
  status >= 500 && !(status === 503 && Boolean(retryAfter));
