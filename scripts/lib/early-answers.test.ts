import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, writeFileSync } from "node:fs";
import http from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testFolder } from "@/lib/testing/folder";

// Answers before it has read the body, and leaves the body as it is: unread, paused after a part, flowing with or without
// somebody who listens, or piped to nobody.
const SERVER = `
import http from "node:http";
import { PassThrough } from "node:stream";
const ways = {
  "/unread": () => {},
  "/paused": (request) => request.once("data", () => request.pause()),
  "/listening": (request) => request.on("data", () => {}),
  "/flowing": (request) => request.once("data", () => {}),
  "/readable": (request) => request.on("readable", () => {}),
  "/piped": (request) => request.pipe(new PassThrough()),
};
http.createServer((request, response) => {
  const way = ways[request.url];
  if (!way) return request.resume().on("end", () => response.end("read"));
  way(request);
  setTimeout(() => { response.statusCode = 413; response.end("too large"); }, 5);
}).listen(0, "127.0.0.1", function () { console.log(this.address().port); });
`;
const MB = 1024 * 1024;

let child: ChildProcess;
let port: number;
beforeAll(async () => {
  const folder = testFolder("early");
  cpSync("scripts/lib/http-timeouts.mjs", join(folder, "http-timeouts.mjs"));
  writeFileSync(join(folder, "server.mjs"), `import "./http-timeouts.mjs";\n${SERVER}`);
  child = spawn(process.execPath, [join(folder, "server.mjs")], { stdio: ["ignore", "pipe", "inherit"] });
  if (!child.stdout) throw new Error("no output");
  const [line] = await once(child.stdout, "data");
  port = Number(String(line));
});
afterAll(() => child.kill());

/**
 * Sends a request over the agent's connection, `rest` after its answer came. Answers the status and whether the
 * connection was used before.
 */
function send(agent: http.Agent, path: string, body: Buffer, headers = {}, rest?: Buffer) {
  return new Promise<{ status: number | undefined; reused: boolean }>((done, fail) => {
    const options = { host: "127.0.0.1", port, method: "POST", path, agent, headers };
    const request = http.request(options, (answer) => {
      answer.resume().on("end", () => done({ status: answer.statusCode, reused: request.reusedSocket }));
    });
    request.on("error", fail).setTimeout(3_000, () => request.destroy(new Error(`${path} was not answered`)));
    if (!rest) return request.end(body);
    request.write(body);
    request.once("response", () => request.end(rest));
  });
}

test.each(["/unread", "/paused", "/listening", "/flowing", "/readable", "/piped"])(
  "after an answer before the body was read (%s) the connection serves the next request",
  async (path) => {
    for (const headers of [{ "content-length": 3 * MB }, { "transfer-encoding": "chunked" }]) {
      const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
      for (let times = 0; times < 10; times++) {
        for (const rest of [undefined, Buffer.alloc(2 * MB, 97)]) {
          const first = Buffer.alloc(rest ? MB : 3 * MB, 97);
          expect((await send(agent, path, first, headers, rest)).status).toBe(413);
          expect(await send(agent, "/", Buffer.from("a"))).toEqual({ status: 200, reused: true });
        }
      }
      agent.destroy();
    }
  },
  20_000,
);
