import { createServer, type IncomingMessage, request as open, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { test as base } from "./test";

type Matches = (path: string, headers: IncomingMessage["headers"]) => boolean;
/** What is held back on the line: how much of it waits, and how it goes on. */
type Held = { count: () => number; release: () => Promise<void> };
type Rule = { matches: Matches; wait: (response: ServerResponse) => Promise<void> };

/** A proxy for a browser, whose requests and answers it holds back: also those of redirects and of service workers. */
async function startLine() {
  const rules: Record<"request" | "answer", Rule[]> = { request: [], answer: [] };
  const wait = async (at: "request" | "answer", sent: IncomingMessage, response: ServerResponse) => {
    const { pathname, search } = new URL(sent.url ?? "");
    const rule = rules[at].find(({ matches }) => matches(pathname + search, sent.headers));
    await rule?.wait(response);
  };
  const server = createServer(async (sent, response) => {
    await wait("request", sent, response);
    const { method, headers } = sent;
    const onward = open(sent.url ?? "", { method, headers }, async (answer) => {
      await wait("answer", sent, response);
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    sent.pipe(onward);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    proxy: { server: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
    /** Holds back the requests that match, or their answers. `release` resolves when the answers have left. */
    hold(at: "request" | "answer", matches: Matches): Held {
      let go = () => {};
      const gone = new Promise<void>((done) => {
        go = done;
      });
      const held: Promise<unknown>[] = [];
      const rule: Rule = {
        matches,
        wait: (response) => {
          held.push(new Promise((done) => response.on("close", done)));
          return gone;
        },
      };
      rules[at].push(rule);
      return {
        count: () => held.length,
        release: async () => {
          rules[at].splice(rules[at].indexOf(rule), 1);
          go();
          await Promise.all(held);
        },
      };
    },
    stop: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

type Line = Awaited<ReturnType<typeof startLine>>;

/** A test whose browser reaches the server over a line that can hold things back. */
export const test = base.extend<{ line: Line }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
  line: async ({}, use) => {
    const line = await startLine();
    await use(line);
    await line.stop();
  },
  proxy: async ({ line }, use) => {
    await use(line.proxy);
  },
});
