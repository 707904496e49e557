import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

export type HttpCall = { method: string; path: string; headers: IncomingHttpHeaders; body: string };
export type HttpStandIn = { url: string; calls: HttpCall[]; close(): Promise<void> };
/** "lost": the connection breaks after the request arrived. */
export type HttpAnswer = { status: number; body: unknown } | "lost";

/** A loopback stand-in for an external HTTP service: records each call and answers the JSON of `answer`. */
export async function httpServer(answer: (call: HttpCall) => HttpAnswer): Promise<HttpStandIn> {
  const calls: HttpCall[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => {
      body += chunk;
    });
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const call = { method, path: url, headers, body };
      calls.push(call);
      const reply = answer(call);
      if (reply === "lost") return response.destroy();
      response
        .writeHead(reply.status, { "content-type": "application/json" })
        .end(JSON.stringify(reply.body));
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    close: () => {
      server.closeAllConnections();
      return new Promise((done) => server.close(() => done()));
    },
  };
}
