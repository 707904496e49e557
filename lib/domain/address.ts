/** Set by the server's start from the socket itself, over whatever a client wrote there. */
export const PEER_HEADER = "x-wallet-peer";

/**
 * The caller's network address. With n trusted proxies it is the n-th from the end of X-Forwarded-For (what the
 * outermost trusted proxy saw); without proxies it is the socket's, so that nobody picks their own.
 */
export function addressOf(headers: Headers, proxies: number): string {
  if (proxies > 0) {
    const hops = (headers.get("x-forwarded-for") ?? "").split(",").map((hop) => hop.trim());
    const seen = hops.at(-proxies) || hops[0];
    if (seen) return seen;
  }
  return headers.get(PEER_HEADER) ?? "unknown";
}
