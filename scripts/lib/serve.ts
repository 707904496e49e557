import { join } from "node:path";
import { type Guarded, type GuardedOptions, startGuarded } from "../postgres/guarded";
import { serverFolder } from "./build";
import { atEnd } from "./ending";
import { withoutOwner } from "./settings";

/** Waits until GET /api/ready answers 200. Throws when the server ended first (with what it printed), or `seconds` are over. */
export async function untilReady(
  url: string,
  server: Pick<Guarded, "ended" | "gone">,
  seconds = 60,
): Promise<void> {
  const until = Date.now() + seconds * 1_000;
  let last = "no answer";
  while (!server.ended() && Date.now() < until) {
    try {
      const answer = await fetch(`${url}/api/ready`, { signal: AbortSignal.timeout(5_000) });
      if (answer.ok) return;
      last = `${answer.status} ${await answer.text()}`;
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
    await new Promise((done) => setTimeout(done, 300));
  }
  if (server.ended()) throw new Error(`The server ended:\n${await server.gone}`);
  throw new Error(`The server was not ready in time: ${last}`);
}

type ServeOptions = Pick<GuardedOptions, "onOutput" | "onPart"> & {
  env: NodeJS.ProcessEnv;
  port: number;
  host: string;
  output?: "show" | "keep";
  /** The folder of another build's standalone server. */
  folder?: string;
};

/** Starts the built server with exactly these settings. It ends with this process. */
export function serveBuilt(options: ServeOptions): Guarded {
  const { env, port, host, output = "show", folder = serverFolder, onOutput, onPart } = options;
  return startGuarded({
    command: process.execPath,
    args: [join(folder, "server.js")],
    cwd: folder,
    env: {
      ...withoutOwner(env),
      NODE_ENV: "production",
      NEXT_TELEMETRY_DISABLED: "1",
      PORT: String(port),
      HOSTNAME: host,
    },
    patience: 8_000,
    output,
    onOutput,
    onPart,
  });
}

/** The same, and waits until it is ready. It ends before this command does. */
export async function serveReady(options: ServeOptions): Promise<Guarded> {
  const { host, port } = options;
  const server = serveBuilt(options);
  atEnd(server.stop);
  await untilReady(`http://${host === "0.0.0.0" ? "127.0.0.1" : host}:${port}`, server);
  return server;
}
