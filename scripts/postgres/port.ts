import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Listens and stops again. Throws what listening throws. */
async function probe(port: number, host: string): Promise<void> {
  const server = createServer();
  await once(server.listen(port, host), "listening");
  await once(server.close(), "close");
}

/** Below the ports that Linux gives to outgoing connections: one of those would take the port before its server listens. */
const LEAST = 10_000;
const MOST = 29_999;
const TRIES = 50;

/** A TCP port of the loopback that was free a moment ago. */
export async function freePort(): Promise<number> {
  for (let nth = 1; ; nth++) {
    const port = randomInt(LEAST, MOST + 1);
    try {
      await probe(port, "127.0.0.1");
      return port;
    } catch (error) {
      if (nth === TRIES) throw error;
    }
  }
}

/** Throws, with what to do, when a server could not listen there: before minutes are spent on building it. */
export async function assertFree({ port, host }: { port: number; host: string }): Promise<void> {
  await probe(port, host).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`Port ${port} cannot be used (${reason}). Set PORT to another one.`, { cause });
  });
}

/** The same database at another port. */
export function atPort(url: string, port: number): string {
  const other = new URL(url);
  other.port = String(port);
  return other.href;
}
