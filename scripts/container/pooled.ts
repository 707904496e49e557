import http from "node:http";
import https from "node:https";

export type Client = { ask(ask: Ask): Promise<Answer>; close(): void };
type Ask = { method?: string; path: string; body?: Buffer; headers?: Record<string, string> };
type Answer = { status: number; headers: http.IncomingHttpHeaders };
export type ClientOptions = {
  port: number;
  /** The certificate authority and the name of the server, for https. */
  tls?: { ca: Buffer; servername: string };
  /** The address of this machine that the requests come from. */
  from?: string;
};

const PATIENCE = 10_000;
/** So many failures say what a hundred would. */
const ENOUGH = 3;

/** A client with one connection that it keeps, as a browser or a till does. */
export function pooledClient({ port, tls, from }: ClientOptions): Client {
  const keep = { keepAlive: true, maxSockets: 1 };
  const agent = tls ? new https.Agent(keep) : new http.Agent(keep);
  const { request } = tls ? https : http;
  return {
    close: () => agent.destroy(),
    ask: ({ method = "GET", path, body, headers = {} }) =>
      new Promise((done, fail) => {
        const length = body ? { "content-type": "application/json", "content-length": body.length } : {};
        const options = {
          host: "127.0.0.1",
          port,
          method,
          path,
          agent,
          localAddress: from,
          ...tls,
          headers: { ...(tls ? { host: `${tls.servername}:${port}` } : {}), ...length, ...headers },
        };
        const sent = request(options, (answer) => {
          answer.resume().on("end", () => done({ status: answer.statusCode ?? 0, headers: answer.headers }));
        });
        sent.on("error", fail);
        sent.setTimeout(PATIENCE, () => sent.destroy(new Error(`${method} ${path} was not answered`)));
        sent.end(body);
      }),
  };
}

/**
 * Sends bodies that are answered before they were read, each followed by an ordinary request of the same client. Answers
 * how many of the ordinary ones were not 200, with the first reason.
 */
export async function afterEarlyAnswers(client: Client, path: string, bytes: number, times: number) {
  const body = Buffer.alloc(bytes, 97);
  const early = new Map<string, number>();
  let wrong = 0;
  let reason = "";
  for (let nth = 0; nth < times && wrong < ENOUGH; nth++) {
    // If a client still sends when the answer comes, it may see the connection end. It loses only this
    // request.
    const first = await client.ask({ method: "POST", path, body }).then(
      ({ status }) => String(status),
      (error: NodeJS.ErrnoException) => error.code ?? error.message,
    );
    early.set(first, (early.get(first) ?? 0) + 1);
    const next = await client.ask({ path: "/api/health" }).catch((error: Error) => error);
    if (next instanceof Error || next.status !== 200) {
      wrong++;
      reason ||= next instanceof Error ? next.message : String(next.status);
    }
  }
  return { wrong, reason, early: [...early].map(([status, n]) => `${n} x ${status}`).join(", ") };
}
