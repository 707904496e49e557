import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { DomainError } from "@/lib/domain/errors";
import { env } from "@/lib/env";

/** An address that was checked: the connection goes there, whatever the name resolves to a moment later. */
export type CheckedAddress = { url: URL; address: string };

/** Answers the addresses of a name. */
export type Resolve = (host: string) => Promise<string[]>;

const resolveAll: Resolve = async (host) =>
  (await lookup(host, { all: true, order: "ipv4first" })).map(({ address }) => address);

/** The kind of an address: an IPv4 address in IPv6 is what it is in IPv4. */
const kindOf = (address: string) => ipaddr.process(address).range();

/** The metadata services of clouds that are not link-local. */
const METADATA = ["fd00:ec2::254", "100.100.100.200", "192.0.0.192", "168.63.129.16"].map((address) =>
  ipaddr.parse(address).toNormalizedString(),
);
const isMetadata = (address: string) => METADATA.includes(ipaddr.process(address).toNormalizedString());

function isAllowed(address: string, host: string): boolean {
  const kind = kindOf(address);
  if (isMetadata(address)) return false;
  if (kind === "unicast") return true;
  const { APP_ENV, WEBHOOK_ALLOWED_HOSTS } = env();
  if (APP_ENV !== "production" && kind === "loopback") return true;
  return (
    WEBHOOK_ALLOWED_HOSTS.includes(host) &&
    ["private", "uniqueLocal", "loopback", "carrierGradeNat"].includes(kind)
  );
}

const refused = (why: string) => new DomainError("webhook_address", { why });

/**
 * Resolves the address of a webhook, and checks every address of the name. Throws webhook_address unless it is https (http
 * too outside production), has no credentials, and every address is public (or allowed by WEBHOOK_ALLOWED_HOSTS).
 */
export async function checkAddress(text: string, resolve: Resolve = resolveAll): Promise<CheckedAddress> {
  const url = new URL(text);
  const plain = env().APP_ENV !== "production" && url.protocol === "http:";
  if (url.protocol !== "https:" && !plain) throw refused("protocol");
  if (url.username || url.password) throw refused("credentials");
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const found = isIP(host) ? [host] : await resolve(host).catch(() => []);
  const [address] = found;
  if (address === undefined) throw refused("unknown");
  if (!found.every((one) => isAllowed(one, host.toLowerCase()))) throw refused("private");
  return { url, address };
}
