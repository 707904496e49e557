import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { join } from "node:path";
import { until } from "@/lib/testing/until";
import { startGuarded } from "@/scripts/postgres/guarded";
import { send } from "../faults/load";

/** The name that the certificate is for. */
export const SERVER_NAME = "wallet.localhost";

/** The same Caddyfile as in docs/deploy/containers.md, which has a public name. */
const caddyfile = (folder: string, port: number, upstream: number) => `{
  admin off
  auto_https disable_redirects
  skip_install_trust
  storage file_system ${folder}/store
}
https://${SERVER_NAME}:${port} {
  tls internal
  @large header_regexp Content-Length ^([6-9]\\d{6}|[1-9]\\d{7,})$
  respond @large 413
  request_body {
    max_size 6MB
  }
  reverse_proxy 127.0.0.1:${upstream}
}
`;

type Caddy = { ca: Buffer; stop(): Promise<void> };

/** Starts Caddy (the program `command`) in front of `upstream`, with TLS by its own authority. */
export async function startCaddy(
  command: string,
  folder: string,
  port: number,
  upstream: number,
): Promise<Caddy> {
  mkdirSync(folder, { recursive: true });
  const config = join(folder, "Caddyfile");
  writeFileSync(config, caddyfile(folder, port, upstream));
  const caddy = startGuarded({
    command,
    args: ["run", "--config", config, "--adapter", "caddyfile"],
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", HOME: folder, NODE_ENV: "production" },
    patience: 8_000,
    output: "keep",
  });
  const root = join(folder, "store/pki/authorities/local/root.crt");
  const handshakes = async (ca: Buffer): Promise<boolean> => {
    const client = pooledClient({ port, tls: { ca, servername: SERVER_NAME } });
    const isAnswered = client.ask({ path: "/" }).then(() => true);
    return isAnswered.catch(() => false).finally(client.close);
  };
  // The certificate of the name comes after the authority's.
  await until("Caddy has its certificates", async () => {
    if (caddy.ended()) throw new Error(`Caddy did not start:\n${await caddy.gone}`);
    return existsSync(root) && (await handshakes(readFileSync(root)));
  });
  return { ca: readFileSync(root), stop: caddy.stop };
}

type Ask = { method?: string; path: string; body?: Buffer; headers?: Record<string, string> };
export type Client = { ask(ask: Ask): ReturnType<typeof send>; close(): void };
type ClientOptions = {
  port: number;
  /** The certificate authority and the name of the server, for https. */
  tls?: { ca: Buffer; servername: string };
  /** The address of this machine that the requests come from. */
  from?: string;
};

const PATIENCE = 10_000;

/** A client with one connection that it keeps, as a browser or a till does. */
export function pooledClient({ port, tls, from }: ClientOptions): Client {
  const agent = new (tls ? https : http).Agent({ keepAlive: true, maxSockets: 1 });
  const own = { agent, timeout: PATIENCE, localAddress: from, ...tls };
  return {
    close: () => agent.destroy(),
    ask: ({ method = "GET", path, body, headers }) =>
      send(`${tls ? "https" : "http"}://127.0.0.1:${port}${path}`, {
        ...own,
        method,
        body,
        headers: { ...(tls && { host: `${tls.servername}:${port}` }), ...headers },
      }),
  };
}
