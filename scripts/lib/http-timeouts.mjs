// Loaded before the standalone server (scripts/lib/build.ts), beside server.js: only Node's own modules.
// A client that sends slowly, or nothing, does not hold a connection.
import http from "node:http";
import https from "node:https";

/** Milliseconds: the headers in 10 s, the whole request in 30 s more, an idle connection 60 s. */
const TIMEOUTS = {
  headersTimeout: 10_000,
  // Node counts it from the first byte of the request, so it contains the time of the headers.
  requestTimeout: 40_000,
  keepAliveTimeout: 60_000,
  // Node looks for expired connections this often; its default of 30 s would add up to 30 s to each limit.
  connectionsCheckingInterval: 1_000,
};

/** Milliseconds for which a server that closes still takes connections. */
const LAST_CALL = 500;

/**
 * Ends the connections of a server that closes: each further answer says that it is the connection's last, because a busy
 * one would stay for ever. The port closes a moment later: the system breaks a connection with an unread request.
 */
function endsConnections(server) {
  const close = server.close.bind(server);
  let isClosing = false;
  server.close = (done) => {
    isClosing = true;
    // Work after the last answers (lib/api/server) ends before the server does.
    const end = () =>
      close((error) => Promise.resolve(globalThis.walletApi?.settled()).finally(() => done?.(error)));
    // A connection is taken in one turn of the event loop, and read in the next.
    setTimeout(() => setImmediate(() => setImmediate(() => setImmediate(end))), LAST_CALL);
    return server;
  };
  server.prependListener("request", (_request, response) => {
    if (isClosing) response.setHeader("Connection", "close");
    response.once("close", () => isClosing && setImmediate(() => server.closeIdleConnections()));
  });
  return server;
}

// instrumentation.ts installs the server of the API here once the build's handlers are loaded.
globalThis.walletApiWanted = true;

// As DATA_POLICY of lib/api/content-policy.ts.
const NOTHING_RUNS = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Next's own redirects of doubled and trailing slashes pass neither the middleware nor its headers. */
function hasPolicy(response) {
  const write = response.writeHead;
  response.writeHead = function writeHead(...given) {
    if (!this.headersSent && !this.hasHeader("content-security-policy")) {
      this.setHeader("Content-Security-Policy", NOTHING_RUNS);
    }
    return write.apply(this, given);
  };
}

/** Gives each request to the API's server, else to Next. TRACE to neither: Next would answer it with 500. */
const withApi = (listener) =>
  listener &&
  ((request, response) => {
    hasPolicy(response);
    if (request.method === "TRACE") return response.writeHead(405, { Connection: "close" }).end();
    if (!globalThis.walletApi?.take(request, response)) return listener(request, response);
  });

/** Reads the rest of a body that was answered early: on the same connection the next request follows. */
function throwsUnreadAway(server) {
  server.prependListener("request", (request, response) => {
    const { socket } = request;
    response.once("finish", () => {
      if (request.complete || socket.destroyed) return;
      // Nothing reads a destroyed request any more, so its connection ends.
      if (request.destroyed) return socket.destroySoon();
      request.unpipe();
      for (const event of ["data", "readable"]) request.removeAllListeners(event);
      // After what removing "readable" does in the next tick: it stops a stream that flows without anybody who listens.
      process.nextTick(() => request.resume());
    });
  });
  return server;
}

for (const module of [http, https]) {
  const create = module.createServer;
  module.createServer = (options, listener) =>
    throwsUnreadAway(
      endsConnections(
        typeof options === "function" || options === undefined
          ? create({ ...TIMEOUTS }, withApi(options))
          : create({ ...options, ...TIMEOUTS }, withApi(listener)),
      ),
    );
}
