import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";
import { env } from "@/lib/env";

/** The socket's address. The server overwrites this header on every request, so clients cannot set it. */
export const PEER_HEADER = "x-wallet-peer";

/** An address without its zone, and without the brackets and the port that some proxies add: each connection has another. */
const withoutPort = (hop: string): string =>
  hop
    .replace(/^\[([^\]]*)\](?::\d+)?$/, "$1")
    .replace(/^([\d.]+):\d+$/, "$1")
    .replace(/%.*$/, "");

/** The /64 network of an IPv6 address, any of which its caller can use. IPv4 stays, also when mapped to IPv6. */
function networkOf(plain: string): string {
  if (plain === "::1" || !ipaddr.IPv6.isValid(plain)) return plain;
  const address = ipaddr.process(plain);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  const groups = address.parts.slice(0, 4).map((group) => group.toString(16));
  return `${groups.join(":")}::/64`;
}

/**
 * The caller's own address: with n trusted proxies (TRUSTED_PROXIES) the n-th from the end of X-Forwarded-For, which the
 * outermost of them saw. Otherwise that of the socket, which a caller cannot forge.
 */
export function exactAddress(headers: Headers): string {
  const proxies = env().TRUSTED_PROXIES;
  if (proxies > 0) {
    const hops = (headers.get("x-forwarded-for") ?? "").split(",").map((hop) => hop.trim());
    // With fewer entries, none of them certainly comes from a trusted proxy.
    const forwarded = hops.at(-proxies);
    if (forwarded) return withoutPort(forwarded);
  }
  return withoutPort(headers.get(PEER_HEADER) ?? "unknown");
}

/** The caller's network: exactAddress, and for IPv6 the /64 network of it. */
export const callerAddress = (headers: Headers): string => networkOf(exactAddress(headers));

/** Sets PEER_HEADER of every request. Next fills X-Forwarded-For from the socket only when the client did not send it. */
export function recordSocketAddresses(): void {
  subscribe("http.server.request.start", (message) => {
    const { request } = message as { request: IncomingMessage };
    request.headers[PEER_HEADER] = request.socket.remoteAddress ?? "unknown";
  });
}
