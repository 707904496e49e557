import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startUntil } from "../postgres/guarded";
import { serverAccount } from "../postgres/home";
import { atPort, freePort } from "../postgres/port";
import { findProxy } from "./tools";

export type PgBouncer = {
  /** The same database as the same role, through the pooler. */
  through(url: string): string;
  stop(): Promise<void>;
};

/**
 * Starts PgBouncer in transaction mode in front of the server of these connection strings, for their roles. It ends with
 * this process. Throws where PgBouncer is not installed: see ensureProxies.
 */
export async function startPgBouncer(urls: string[]): Promise<PgBouncer> {
  const command = findProxy("pgbouncer");
  if (!command) throw new Error("PgBouncer is not installed.");
  const account = serverAccount();
  const folder = mkdtempSync(join(tmpdir(), "wallet-pgbouncer-"));
  const servers = urls.map((url) => new URL(url));
  const [file, users] = [join(folder, "pgbouncer.ini"), join(folder, "users.txt")];
  const port = await freePort();
  const lines = servers.map(({ username, password }) => `"${username}" "${decodeURIComponent(password)}"\n`);
  writeFileSync(users, lines.join(""), { mode: 0o600 });
  writeFileSync(
    file,
    `[databases]
* = host=${servers[0]?.hostname} port=${servers[0]?.port}
[pgbouncer]
pool_mode = transaction
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
default_pool_size = 20
max_client_conn = 500
server_connect_timeout = 3
server_login_retry = 1
query_wait_timeout = 10
`,
    { mode: 0o600 },
  );
  if (account) for (const path of [folder, file, users]) chownSync(path, account.uid, account.gid);
  const options = {
    command,
    args: [file],
    cwd: "/",
    account,
    patience: 5_000,
  };
  const pooler = startUntil(options, "PgBouncer", /process up/);
  await pooler.ready;
  return {
    through: (url) => atPort(url, port),
    async stop() {
      await pooler.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
