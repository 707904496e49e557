import { env } from "@/lib/env";

/** Set by the server's start from the socket itself, over whatever a client wrote there. */
export const PEER_HEADER = "x-wallet-peer";

const groupsOf = (part: string) => part.split(":").filter(Boolean);

/**
 * An IPv6 caller owns a whole /64 and picks any address in it, so that network is who calls; IPv4 stays as it is, also
 * in IPv6's dress.
 */
function networkOf(address: string): string {
  const plain = address.replace(/%.*$/, "");
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (mapped) return mapped;
  if (plain === "::1" || !plain.includes(":") || !URL.canParse(`http://[${plain}]`)) return address;
  const [before = "", after = ""] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split("::");
  const [head, tail] = [groupsOf(before), groupsOf(after)];
  const groups = [...head, ...Array<string>(8 - head.length - tail.length).fill("0"), ...tail];
  return `${groups.slice(0, 4).join(":")}::/64`;
}

/**
 * The caller's network address, of IPv6 its /64 network. With n trusted proxies (TRUSTED_PROXIES) it is the n-th from
 * the end of X-Forwarded-For (what the outermost trusted proxy saw); without proxies it is the socket's, so that nobody
 * picks their own.
 */
export function callerAddress(headers: Headers): string {
  const proxies = env().TRUSTED_PROXIES;
  if (proxies > 0) {
    const hops = (headers.get("x-forwarded-for") ?? "").split(",").map((hop) => hop.trim());
    const seen = hops.at(-proxies) || hops[0];
    if (seen) return networkOf(seen);
  }
  return networkOf(headers.get(PEER_HEADER) ?? "unknown");
}
