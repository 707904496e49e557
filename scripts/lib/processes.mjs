// Loaded before the standalone server (scripts/lib/build.ts), beside server.js: only Node's own modules.
// With SERVER_PROCESSES above 1 it watches that many servers on one port: docs/decisions/processes.md.
import cluster from "node:cluster";
import net from "node:net";

/** Milliseconds before a server that ended by itself is replaced: one that ends at once would else fill the log. */
const PAUSE = 1_000;
const PORT = Number(process.env.PORT || 3000);
const LISTENS = "listens";

const wanted = Number(process.env.SERVER_PROCESSES || 1);
if (cluster.isPrimary && wanted > 1 && Number.isInteger(wanted)) {
  watchServers(wanted);
  // The code of server.js after this import is for the servers only.
  await new Promise(() => {});
}

if (cluster.isWorker) listenAlone();

/** Each server has a separate socket: nobody would close what a parent accepted for a killed server. */
function listenAlone() {
  const { listen } = net.Server.prototype;
  net.Server.prototype.listen = function listenToo(...given) {
    const [port, host] = given;
    if (!Number.isInteger(port)) return listen.apply(this, given);
    this.once("listening", () => port === PORT && process.send?.(LISTENS));
    const where = { port, reusePort: true, ...(typeof host === "string" ? { host } : {}) };
    return listen.call(this, where, ...given.filter((one) => typeof one === "function"));
  };
}

/** A server's settings. The first runs the jobs, and each has a different port for its metrics. */
function settingsOf(place) {
  const { WORKER = "on", METRICS_PORT } = process.env;
  return {
    ...(place > 0 && WORKER === "on" ? { WORKER: "separate" } : {}),
    ...(METRICS_PORT ? { METRICS_PORT: String(Number(METRICS_PORT) + place) } : {}),
  };
}

function watchServers(count) {
  let isEnding = false;
  let hasStarted = false;
  const end = (signal) => {
    isEnding = true;
    const servers = Object.values(cluster.workers);
    // All servers may have ended and be about to be replaced.
    if (servers.length === 0) process.exit();
    for (const server of servers) server.process.kill(signal);
  };
  const start = (place) => {
    if (isEnding) return;
    const server = cluster.fork(settingsOf(place));
    server.on("message", (message) => {
      hasStarted ||= message === LISTENS;
    });
    server.once("exit", (code, signal) => {
      if (isEnding) return;
      // None has ever started, for example without a setting: the others would only print the same reason.
      if (!hasStarted) {
        process.exitCode = code || 1;
        return end("SIGTERM");
      }
      const time = new Date().toISOString();
      const { pid } = server.process;
      const line = { level: "error", time, event: "a server ended by itself", pid, code, signal };
      console.error(JSON.stringify(line));
      setTimeout(start, PAUSE, place);
    });
  };
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, end);
  // Its servers have ended, and with them the event that would keep it here.
  cluster.on("exit", () => {
    if (isEnding && Object.keys(cluster.workers).length === 0) process.exit();
  });
  for (let place = 0; place < count; place++) start(place);
}
