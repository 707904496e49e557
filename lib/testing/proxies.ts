import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProxy, type ProxyName } from "@/scripts/lib/tools";
import { startGuarded } from "@/scripts/postgres/guarded";
import { serverAccount } from "@/scripts/postgres/home";
import { atPort, freePort } from "@/scripts/postgres/port";
import { connected } from "@/scripts/postgres/server";
import { until } from "./until";

/**
 * Starts a proxy in front of Postgres, in a folder with these files, and waits until it passes a connection to `url`. It
 * ends with this process. Throws where it is not installed: see ensureProxies.
 */
export async function startProxy(
  name: ProxyName,
  args: string[],
  files: Record<string, string>,
  url: string,
): Promise<{ stop(): Promise<void> }> {
  const command = findProxy(name);
  if (!command) throw new Error(`${name} is not installed.`);
  const account = serverAccount();
  const folder = mkdtempSync(join(tmpdir(), `wallet-${name}-`));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text, { mode: 0o600 });
  if (account)
    for (const file of ["", ...Object.keys(files)]) chownSync(join(folder, file), account.uid, account.gid);
  const proxy = startGuarded({ command, args, cwd: folder, account, patience: 5_000, output: "keep" });
  await until(`${name} passes connections`, async () => {
    if (proxy.ended()) throw new Error(`${name} did not start:\n${await proxy.gone}`);
    return connected(url, async () => true).catch(() => false);
  });
  return {
    async stop() {
      await proxy.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type PgBouncer = {
  /** The same database as the same role, through the pooler. */
  through(url: string): string;
  stop(): Promise<void>;
};

/** Starts PgBouncer in transaction mode in front of the server of these connection strings, for their roles. */
export async function startPgBouncer(urls: [string, ...string[]]): Promise<PgBouncer> {
  const port = await freePort();
  const { hostname, port: server } = new URL(urls[0]);
  const users = urls
    .map((url) => new URL(url))
    .map(({ username, password }) => `"${username}" "${decodeURIComponent(password)}"\n`);
  const settings = `[databases]
* = host=${hostname} port=${server}
[pgbouncer]
pool_mode = transaction
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = users.txt
default_pool_size = 20
max_client_conn = 500
server_connect_timeout = 3
server_login_retry = 1
query_wait_timeout = 10
`;
  const through = (url: string) => atPort(url, port);
  const files = { "pgbouncer.ini": settings, "users.txt": users.join("") };
  const { stop } = await startProxy("pgbouncer", ["pgbouncer.ini"], files, through(urls[0]));
  return { through, stop };
}
