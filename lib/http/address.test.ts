import { beforeEach, expect, test, vi } from "vitest";

beforeEach(() => vi.resetModules());

async function seen(proxies: number, forwarded: string | null, socket = "10.0.0.9"): Promise<string> {
  vi.stubEnv("TRUSTED_PROXIES", String(proxies));
  const { callerAddress, PEER_HEADER } = await import("./address");
  const headers = new Headers({ [PEER_HEADER]: socket });
  if (forwarded !== null) headers.set("x-forwarded-for", forwarded);
  return callerAddress(headers);
}

const NETWORK = "2001:db8:0:0::/64";

test.each([
  ["without proxies the socket counts, whatever a client writes", 0, "203.0.113.1", "10.0.0.9"],
  ["behind one proxy, what that proxy saw", 1, "203.0.113.1", "203.0.113.1"],
  [
    "an address that the client made up stands before it, and does not count",
    1,
    "1.1.1.1, 203.0.113.1",
    "203.0.113.1",
  ],
  ["behind two, what the outer one saw", 2, "1.1.1.1, 203.0.113.1, 10.0.0.2", "203.0.113.1"],
  ["a proxy that said nothing leaves the socket", 1, null, "10.0.0.9"],
  ["of IPv6 the network counts, any address of which a caller may pick", 1, "2001:db8::5:6:7:8", NETWORK],
  ["written at length it is the same network", 1, "2001:0DB8:0:0:ffff::1", NETWORK],
  ["IPv4 in IPv6's dress is IPv4", 1, "::ffff:203.0.113.1", "203.0.113.1"],
])("%s", async (_what, proxies, forwarded, address) => {
  expect(await seen(proxies, forwarded)).toBe(address);
});
