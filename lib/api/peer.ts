import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { PEER_HEADER } from "./address";

/**
 * Sets PEER_HEADER of every request to the address of its socket, before any handler runs.
 * X-Forwarded-For is not reliable: Next fills it from the socket only when the client did not send it.
 */
export function recordSocketAddresses(): void {
  subscribe("http.server.request.start", (message) => {
    const { request } = message as { request: IncomingMessage };
    request.headers[PEER_HEADER] = request.socket.remoteAddress ?? "unknown";
  });
}
