import { once } from "node:events";
import { connect } from "node:net";
import { newAddress } from "@/lib/testing/contract/exchange";
import type { Attack, Tally } from "./tally";
import type { Target } from "./target";

const isLong = process.env.LONG === "1";

/** Sends bytes, then one more each half second. Answers the status line and after how many milliseconds the server closed. */
async function raw(port: number, first: string | Buffer, { drip = "", seconds = 5 } = {}) {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  await once(socket, "connect");
  const began = Date.now();
  let answer = "";
  socket.setEncoding("latin1").on("data", (chunk) => {
    answer += chunk;
  });
  socket.write(first);
  const timer = setInterval(() => drip && socket.writable && socket.write(drip), 500);
  const closed = await new Promise<boolean>((done) => {
    const limit = setTimeout(() => done(false), seconds * 1_000);
    socket.on("close", () => {
      clearTimeout(limit);
      done(true);
    });
  });
  clearInterval(timer);
  socket.destroy();
  return {
    status: Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0),
    closed,
    after: Date.now() - began,
    answer,
  };
}

const HOST = "Host: localhost\r\n";
const JSON_TYPE = "Content-Type: application/json\r\n";
const LOGIN = `POST /api/auth/login HTTP/1.1\r\n${HOST}${JSON_TYPE}`;
const END = "Connection: close\r\n\r\n";

/** Requests that no client sends. Each must be answered 4xx or closed, and never reach anything twice. */
const MALFORMED: [string, string][] = [
  ["no request", "\0\0\0\0\r\n\r\n"],
  ["another protocol", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ["no host", "GET /api/health HTTP/1.1\r\nConnection: close\r\n\r\n"],
  ["two lengths", `${LOGIN}Content-Length: 5\r\nContent-Length: 6\r\n${END}hello!`],
  ["a length and chunks", `${LOGIN}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n${END}0\r\n\r\nX`],
  ["chunks in disguise", `${LOGIN}Transfer-Encoding: xchunked\r\n${END}0\r\n\r\n`],
  ["a chunk of a wrong size", `${LOGIN}Transfer-Encoding: chunked\r\n${END}zz\r\nhello\r\n0\r\n\r\n`],
  ["a negative length", `${LOGIN}Content-Length: -1\r\n${END}`],
  ["a header with a line break", `GET /api/health HTTP/1.1\r\n${HOST}X: a\rb\r\n${END}`],
  ["a space before the colon", `GET /api/health HTTP/1.1\r\n${HOST}Content-Length : 5\r\n${END}`],
  ["100 kB of headers", `GET /api/health HTTP/1.1\r\n${HOST}X: ${"y".repeat(100_000)}\r\n${END}`],
  ["5,000 headers", `GET /api/health HTTP/1.1\r\n${HOST}${"a: b\r\n".repeat(5_000)}${END}`],
  ["100 kB of path", `GET /${"x".repeat(100_000)} HTTP/1.1\r\n${HOST}${END}`],
  ["CONNECT", `CONNECT evil.example:443 HTTP/1.1\r\n${HOST}${END}`],
  ["TRACE", `TRACE /login HTTP/1.1\r\n${HOST}${END}`],
  ["no JSON", `${LOGIN}Content-Length: 1\r\n${END}{`],
  ["a deep JSON", `${LOGIN}Content-Length: 60000\r\n${END}${"[".repeat(60_000)}`],
  ["a large JSON", `${LOGIN}Content-Length: 3000000\r\n${END}{"a":"${"x".repeat(2_999_992)}"}`],
  ["no UTF-8", `${LOGIN}Content-Length: 4\r\n${END}{"\u00ff}`],
];
/** Strange, but answered. */
const STRANGE: [string, string][] = [
  ["no version", "GET /\r\n\r\n"],
  ["a path that cannot be decoded", `GET /%ff%00 HTTP/1.1\r\n${HOST}${END}`],
  ["dots in the path", `GET /../../../etc/passwd HTTP/1.1\r\n${HOST}${END}`],
  ["encoded dots", `GET /%2e%2e%2f%2e%2e%2fetc/passwd HTTP/1.1\r\n${HOST}${END}`],
  ["a whole address", `GET http://169.254.169.254/latest HTTP/1.1\r\n${HOST}${END}`],
  ["a foreign host", `GET /login HTTP/1.1\r\nHost: evil.example\r\n${END}`],
  ["a forwarded host", `GET / HTTP/1.1\r\n${HOST}X-Forwarded-Host: evil.example\r\n${END}`],
  [
    "internal headers",
    `GET /merchant/dashboard HTTP/1.1\r\n${HOST}x-middleware-subrequest: middleware:middleware:middleware:middleware:middleware\r\nx-wallet-path: /login\r\n${END}`,
  ],
  [
    "a slice of an image",
    `GET /_next/image?url=http%3A%2F%2F169.254.169.254%2F&w=64&q=75 HTTP/1.1\r\n${HOST}${END}`,
  ],
];

async function requests(target: Target, tally: Tally): Promise<void> {
  const port = Number(new URL(target.stage.url ?? "").port);
  const isServing = async (what: string) => {
    const { status } = await target.page("/api/health", { address: newAddress() });
    tally.try(status === 200, `after ${what} the server answers ${status}`);
  };
  for (const [what, text] of MALFORMED) {
    const { status, closed, answer } = await raw(port, Buffer.from(text, "latin1"));
    tally.try(
      closed && (status === 0 || (status >= 400 && status < 500)),
      `${what}: ${status}, closed ${closed}`,
    );
    tally.try((answer.match(/^HTTP\/1\.1/gm) ?? []).length <= 1, `${what} is answered twice`);
    await isServing(what);
  }
  for (const [what, text] of STRANGE) {
    const { status, answer } = await raw(port, text);
    tally.try(status >= 200 && status < 500, `${what}: ${status}`);
    tally.try(!/root:x|ami-id|evil\.example/.test(answer), `${what}: ${answer.slice(0, 200)}`);
    if (what === "internal headers") tally.status(status, [307], what);
  }
}

/** Clients that send slowly or nothing: they are closed in time, and others are served meanwhile. */
async function slow(target: Target, tally: Tally): Promise<void> {
  const port = Number(new URL(target.stage.url ?? "").port);
  const crowd = isLong ? 300 : 60;
  const limits: [string, string, string, number][] = [
    ["headers that never end", `GET / HTTP/1.1\r\n${HOST}X: `, "y", 10],
    ["no byte at all", "", "", 10],
    ...(isLong
      ? ([
          ["a body that never ends", `${LOGIN}Content-Length: 9999\r\n\r\n`, " ", 40],
          ["a body in tiny chunks", `${LOGIN}Transfer-Encoding: chunked\r\n\r\n`, "1\r\n \r\n", 40],
          ["an idle connection", `GET /api/health HTTP/1.1\r\n${HOST}\r\n`, "", 60],
        ] as [string, string, string, number][])
      : []),
  ];
  await Promise.all(
    limits.map(async ([what, first, drip, seconds]) => {
      const patience = seconds + 12;
      const all = Array.from({ length: crowd / limits.length }, () =>
        raw(port, first, { drip, seconds: patience }),
      );
      const began = Date.now();
      const { status } = await target.page("/api/ready");
      tally.try(
        status === 200 && Date.now() - began < 5_000,
        `during ${what} another waits ${Date.now() - began} ms`,
      );
      for (const { closed, after } of await Promise.all(all))
        tally.try(closed, `${what}: open after ${after} ms`);
    }),
  );
}

export const requestAttacks = (target: Target): Attack[] => [
  { name: "requests: malformed, strange and huge", needs: "server", run: (tally) => requests(target, tally) },
  { name: "requests: slow", needs: "server", run: (tally) => slow(target, tally) },
];
