import { beforeEach, expect, test, vi } from "vitest";

beforeEach(() => vi.resetModules());

async function addressFor(proxies: number, forwarded: string | null, socket = "10.0.0.9"): Promise<string> {
  vi.stubEnv("TRUSTED_PROXIES", String(proxies));
  const { callerAddress, PEER_HEADER } = await import("./address");
  const headers = new Headers({ [PEER_HEADER]: socket });
  if (forwarded !== null) headers.set("x-forwarded-for", forwarded);
  return callerAddress(headers);
}

const NETWORK = "2001:db8:0:0::/64";

test.each([
  ["without proxies, the socket's address counts and the header does not", 0, "203.0.113.1", "10.0.0.9"],
  ["behind one proxy, the address that the proxy saw counts", 1, "203.0.113.1", "203.0.113.1"],
  ["a forged address before it does not count", 1, "1.1.1.1, 203.0.113.1", "203.0.113.1"],
  [
    "behind two proxies, the address that the outer one saw counts",
    2,
    "1.1.1.1, 203.0.113.1, 10.0.0.2",
    "203.0.113.1",
  ],
  ["behind two proxies, one address alone did not pass both", 2, "1.1.1.1", "10.0.0.9"],
  ["without the header, the socket's address counts", 1, null, "10.0.0.9"],
  ["for IPv6, the /64 network counts", 1, "2001:db8::5:6:7:8", NETWORK],
  ["the full form of an IPv6 address gives the same network", 1, "2001:0DB8:0:0:ffff::1", NETWORK],
  ["IPv4 mapped to IPv6 counts as IPv4", 1, "::ffff:203.0.113.1", "203.0.113.1"],
  ["in its other spelling too", 1, "::ffff:cb00:7101", "203.0.113.1"],
  ["a port that the proxy adds does not count", 1, "203.0.113.1:50001", "203.0.113.1"],
  ["nor one after an IPv6 address", 1, "[2001:db8::5]:50001", NETWORK],
  ["brackets alone neither", 1, "[2001:db8::5]", NETWORK],
])("%s", async (_what, proxies, forwarded, address) => {
  expect(await addressFor(proxies, forwarded)).toBe(address);
});
