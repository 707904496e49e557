import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { PEER_HEADER } from "./address";

/**
 * Writes the socket's own address into PEER_HEADER of every request this process gets, before anybody reads it.
 * Next fills X-Forwarded-For from the socket only when the client left it empty, so it proves nothing.
 */
export function recordSocketAddresses(): void {
  subscribe("http.server.request.start", (message) => {
    const { request } = message as { request: IncomingMessage };
    request.headers[PEER_HEADER] = request.socket.remoteAddress ?? "unknown";
  });
}
