import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** Listens and stops again. Answers the port it had; throws what listening throws. */
function probe(port: number, host: string): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer().on("error", fail);
    server.listen(port, host, () => {
      const address = server.address();
      server.close(() => done(typeof address === "object" && address ? address.port : port));
    });
  });
}

/** Below the ports that Linux gives to outgoing connections: one of those would take the port before its server listens. */
const LEAST = 10_000;
const MOST = 29_999;
const TRIES = 50;

/** A TCP port of the loopback that was free a moment ago. */
export async function freePort(): Promise<number> {
  for (let nth = 1; ; nth++) {
    try {
      return await probe(randomInt(LEAST, MOST + 1), "127.0.0.1");
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
