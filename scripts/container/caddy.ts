import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "node:tls";
import { onPath } from "../lib/tools";
import { startGuarded } from "../postgres/guarded";

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

function handshakes(port: number, ca: Buffer): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ host: "127.0.0.1", port, ca, servername: SERVER_NAME }, () => {
      socket.end();
      done(true);
    });
    socket.on("error", () => done(false));
  });
}

type Caddy = { ca: Buffer; stop(): Promise<void> };

/**
 * Starts Caddy in front of `upstream`, with TLS by its own authority. Answers undefined if Caddy is not
 * installed.
 */
export async function startCaddy(folder: string, port: number, upstream: number): Promise<Caddy | undefined> {
  const command = onPath("caddy");
  if (!command) return undefined;
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
  const until = Date.now() + 20_000;
  while (!existsSync(root) && Date.now() < until && !caddy.ended()) {
    await new Promise((done) => setTimeout(done, 100));
  }
  if (!existsSync(root))
    throw new Error(`Caddy did not start:\n${caddy.ended() ? await caddy.gone : "no certificate"}`);
  const ca = readFileSync(root);
  // The certificate of the name comes after the authority's.
  while (!(await handshakes(port, ca)) && Date.now() < until)
    await new Promise((done) => setTimeout(done, 100));
  return { ca, stop: caddy.stop };
}
