import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProxy } from "../lib/tools";
import { startGuarded } from "../postgres/guarded";
import { serverAccount } from "../postgres/home";
import { freePort } from "../postgres/port";
import type { Place } from "./cluster";
import { CHECK_PATIENCE, openCheck } from "./primary-check";

/** The small HTTP check of one place. A server that has ended is not asked. */
const checkOf = (place: Place) =>
  openCheck(() => (place.server && !place.server.ended() ? place.server.ownerUrl() : undefined));

/** Whether somebody listens there. */
const listens = (port: number): Promise<boolean> =>
  new Promise((answer) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("connect", () => socket.destroy());
    socket.on("close", (hadError) => answer(!hadError));
    socket.on("error", () => {});
  });

/**
 * Starts HAProxy in front of these places: it passes connections to the primary, and ends those to a server that is the
 * primary no more. It ends with this process. Throws where HAProxy is not installed: see ensureProxies.
 */
export async function startHaproxy(
  places: readonly Place[],
): Promise<{ port: number; stop(): Promise<void> }> {
  const command = findProxy("haproxy");
  if (!command) throw new Error("HAProxy is not installed.");
  const checks = await Promise.all(places.map(checkOf));
  const folder = mkdtempSync(join(tmpdir(), "wallet-haproxy-"));
  const file = join(folder, "haproxy.cfg");
  const port = await freePort();
  const servers = places.map(
    (place, nth) => `  server place${nth} 127.0.0.1:${place.port} check port ${checks[nth]?.port}`,
  );
  writeFileSync(
    file,
    `defaults
  mode tcp
  timeout connect 2s
  timeout check ${CHECK_PATIENCE + 500}ms
  timeout client 1h
  timeout server 1h
listen postgres
  bind 127.0.0.1:${port}
  option httpchk GET /
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join("\n")}
`,
  );
  const account = serverAccount();
  if (account) for (const path of [folder, file]) chownSync(path, account.uid, account.gid);
  const proxy = startGuarded({
    command,
    args: ["-db", "-f", file],
    cwd: "/",
    account,
    patience: 3_000,
    output: "keep",
  });
  while (!(await listens(port))) {
    if (proxy.ended()) throw new Error(`HAProxy did not start:\n${await proxy.gone}`);
    await new Promise((done) => setTimeout(done, 50));
  }
  return {
    port,
    async stop() {
      await proxy.stop();
      for (const check of checks) check.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
