import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { log } from "@/lib/observe/log";
import type { Remembered, SessionMemory } from "./session-memory";

/** The channel of the trigger announce_session_change. */
const CHANNEL = "wallet_sessions";
const PULSE_MS = 400;
const RETRY_MS = 1_000;
/** Milliseconds after which a connection whose pulse did not come back counts as lost. */
const PATIENCE_MS = 3_000;

/**
 * Listens for changed sessions on a separate connection, and tells the memory. A pulse that came back through the database
 * proves that every earlier announcement arrived; a pooler or network that loses connections silently answers none.
 */
export function listenForSessions(
  connectionString: string,
  memory: Pick<SessionMemory<Remembered>, "forget" | "forgetAll" | "heardUntil" | "now">,
): { stop: () => Promise<void> } {
  let client: Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  // Written to the log once for each loss, not for each attempt to connect.
  let isKnownLost = false;
  const pulses = `wallet_pulse_${randomBytes(8).toString("hex")}`;

  const later = (work: () => void, ms: number) => {
    clearTimeout(timer);
    if (stopped) return;
    timer = setTimeout(work, ms);
    timer.unref();
  };
  const lose = (lost: Client, error?: unknown) => {
    if (client !== lost) return;
    client = undefined;
    memory.forgetAll();
    void lost.end().catch(() => undefined);
    if (!isKnownLost) log("warn", "changes of sessions are not heard: each is read anew", { error });
    isKnownLost = true;
    later(connect, RETRY_MS);
  };
  const pulse = (over: Client) => {
    later(() => lose(over), PATIENCE_MS);
    // The moment of sending: what was committed earlier is announced before it.
    over
      .query("select pg_notify($1, $2)", [pulses, String(memory.now())])
      .catch((error) => lose(over, error));
  };

  function connect(): void {
    const next = new Client({
      connectionString,
      application_name: "wallet sessions",
      connectionTimeoutMillis: 5_000,
    });
    client = next;
    next.on("error", (error) => lose(next, error));
    next.on("end", () => lose(next));
    next.on("notification", ({ channel, payload = "" }) => {
      if (client !== next) return;
      if (channel === CHANNEL) return memory.forget(payload);
      memory.heardUntil(Number(payload));
      isKnownLost = false;
      later(() => pulse(next), PULSE_MS);
    });
    next
      .connect()
      .then(() => next.query(`listen ${CHANNEL}; listen ${pulses}`))
      .then(() => pulse(next))
      .catch((error) => lose(next, error));
  }
  connect();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      const last = client;
      client = undefined;
      memory.forgetAll();
      await last?.end().catch(() => undefined);
    },
  };
}
