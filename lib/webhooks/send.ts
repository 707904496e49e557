import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import dns from "node:dns";
import http from "node:http";
import https from "node:https";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { Webhook } from "standardwebhooks";
import { DomainError } from "@/lib/domain/errors";
import { env } from "@/lib/env";
import { seal, unseal } from "@/lib/secrets/secrets";
import type { DeliveryError } from "./model";
import type { Attempt } from "./names";

/** An endpoint's secret in the database: both parts are encrypted for the endpoint. */
type SealedSecret = { secret: string; signingKey: string };

const SECRET_BYTES = 32;

/** A new secret of an endpoint (`whsec_…`) with what the database keeps, and the key of v1a. */
export function newSecret(endpointId: string): { secret: string; kept: SealedSecret } {
  const secret = `whsec_${randomBytes(SECRET_BYTES).toString("base64")}`;
  const { privateKey } = generateKeyPairSync("ed25519");
  const der = privateKey.export({ type: "pkcs8", format: "der" }).toString("base64");
  const close = (text: string) => seal("webhooks", text, endpointId);
  return { secret, kept: { secret: close(secret), signingKey: close(der) } };
}

function open(endpointId: string, sealed: string): string {
  const opened = unseal("webhooks", sealed, endpointId);
  if (!opened) throw new Error("a webhook's secret does not open: was AUTH_SECRET changed twice?");
  return opened.text;
}

function privateKeyOf(endpointId: string, { signingKey }: SealedSecret) {
  const key = Buffer.from(open(endpointId, signingKey), "base64");
  return createPrivateKey({ key, type: "pkcs8", format: "der" });
}

/** The key with which receivers verify v1a: `whpk_` and the 32 bytes in base64. */
export function publicKeyOf(endpointId: string, kept: SealedSecret): string {
  const { x = "" } = createPublicKey(privateKeyOf(endpointId, kept)).export({ format: "jwk" });
  return `whpk_${Buffer.from(x, "base64url").toString("base64")}`;
}

/** Signs the bodies of one endpoint, by each of its secrets: v1 (HMAC), and v1a (ed25519) where it is wanted. */
export function signerOf(endpointId: string, secrets: SealedSecret[], asymmetric: boolean) {
  const shared = secrets.map(({ secret }) => new Webhook(open(endpointId, secret)));
  const own = asymmetric ? secrets.map((kept) => privateKeyOf(endpointId, kept)) : [];
  return (id: string, at: Date, body: string): Record<string, string> => {
    const timestamp = String(Math.floor(at.getTime() / 1000));
    const signed = Buffer.from(`${id}.${timestamp}.${body}`);
    const signatures = [
      ...shared.map((webhook) => webhook.sign(id, at, body)),
      ...own.map((key) => `v1a,${sign(null, signed, key).toString("base64")}`),
    ];
    const signature = signatures.join(" ");
    return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature };
  };
}
export type Signer = ReturnType<typeof signerOf>;

/** An address that was checked: the connection goes there, whatever the name resolves to a moment later. */
export type CheckedAddress = { url: URL; address: string };

type Resolve = (host: string) => Promise<string[]>;

/** Milliseconds for the first answer of a name server; the second try has twice as long. */
const ASKING = { timeout: 2_500, tries: 2 };

/** Whether a name may be in the machine's own file of hosts: whoever runs the server chose it. */
const isOwnName = (host: string) => host === "localhost" || env().WEBHOOK_ALLOWED_HOSTS.includes(host);

/**
 * Owners choose names, and so the name servers that are asked. The system's look-ups share two threads of the process, which
 * silent ones would hold for ten seconds each: no mail server and no other webhook would be found meanwhile.
 */
const resolveAll: Resolve = async (host) => {
  if (isOwnName(host.toLowerCase()))
    return (await dns.promises.lookup(host, { all: true, order: "ipv4first" })).map(({ address }) => address);
  const resolver = new dns.promises.Resolver(ASKING);
  resolver.setServers(dns.getServers());
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
};

/** The part of IPv6 that is given out to be reached from everywhere. What is reserved may mean something in a network. */
const PUBLIC_IPV6 = ipaddr.IPv6.parseCIDR("2000::/3");

/** The kind of an address: an IPv4 address in IPv6 is what it is in IPv4. */
function kindOf(text: string) {
  const address = ipaddr.process(text);
  const kind = address.range();
  const isElsewhere = address instanceof ipaddr.IPv6 && !address.match(PUBLIC_IPV6);
  return kind === "unicast" && isElsewhere ? "reserved" : kind;
}

/** The metadata services of clouds that are not link-local. */
const METADATA = [
  "fd00:ec2::254",
  "fd20:ce::254",
  "fd00:42::42",
  "100.100.100.200",
  "192.0.0.192",
  "168.63.129.16",
].map((address) => ipaddr.parse(address).toNormalizedString());
const isMetadata = (address: string) => METADATA.includes(ipaddr.process(address).toNormalizedString());

function isAllowed(address: string, host: string): boolean {
  const kind = kindOf(address);
  if (isMetadata(address)) return false;
  if (kind === "unicast") return true;
  const { APP_ENV, WEBHOOK_ALLOWED_HOSTS } = env();
  if (APP_ENV !== "production" && kind === "loopback") return true;
  const isInside = ["private", "uniqueLocal", "loopback", "carrierGradeNat"].includes(kind);
  return isInside && WEBHOOK_ALLOWED_HOSTS.includes(host);
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

/** Milliseconds for one attempt, from the connection to the end of the answer. */
const TIMEOUT_MS = 15_000;
/** Bytes of an answer that are kept. */
const KEPT_BYTES = 1024;

/** The outcome of one attempt. `duration` in milliseconds, `retryAfter` in seconds. */
export type Outcome = Omit<Attempt, "sentAt"> & { retryAfter: number | null };

/** The outcome of an attempt that began at `since` (performance.now()) and ends now. */
export const outcomeOf = (since: number, got: Partial<Outcome>): Outcome => ({
  status: null,
  error: null,
  answer: "",
  retryAfter: null,
  ...got,
  duration: Math.round(performance.now() - since),
});

// Separate agents: the global ones may be told of a proxy by the environment.
const options = { keepAlive: true, maxSockets: 64, timeout: TIMEOUT_MS };
const agents = { "https:": new https.Agent(options), "http:": new http.Agent(options) };

export const closeConnections = (): void => {
  for (const agent of Object.values(agents)) agent.destroy();
};

/** The seconds of a Retry-After, a number or a date; null for none. */
function retryAfterOf(header: string | undefined): number | null {
  if (header === undefined) return null;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : null;
}

const errorOf = (error: NodeJS.ErrnoException): DeliveryError => {
  if (error.name === "AbortError" || error.name === "TimeoutError") return "timeout";
  return /CERT|TLS|SSL|ALTNAME|SELF_SIGNED|VERIFY/.test(error.code ?? "") ? "tls" : "connection";
};

/** Posts to the checked address under the URL's name: no redirect, a kilobyte of answer, 15 seconds. */
export function post(
  { url, address }: CheckedAddress,
  headers: Record<string, string>,
  body: string,
): Promise<Outcome> {
  const started = performance.now();
  const secure = url.protocol === "https:";
  const name = url.hostname.replace(/^\[|\]$/g, "");
  return new Promise((resolve) => {
    const done = (got: Partial<Outcome>) => resolve(outcomeOf(started, got));
    const request = (secure ? https : http).request({
      method: "POST",
      agent: agents[secure ? "https:" : "http:"],
      host: address,
      port: url.port || (secure ? 443 : 80),
      path: url.pathname + url.search,
      // The certificate is that of the name; an address alone has none in the handshake.
      ...(secure && !isIP(name) ? { servername: name } : {}),
      headers: {
        host: url.host,
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
        "user-agent": "LoyaltyWallet-Webhooks/1",
        ...headers,
      },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    request.on("error", (error: NodeJS.ErrnoException) => done({ error: errorOf(error) }));
    request.on("response", async (response) => {
      let read = Buffer.alloc(0);
      let error: DeliveryError | null = null;
      try {
        for await (const part of response) {
          read = Buffer.concat([read, part]);
          if (read.length > KEPT_BYTES) break;
        }
      } catch (broken) {
        error = errorOf(broken as NodeJS.ErrnoException);
      }
      // A NUL has no place in a text of Postgres, and half a character ends it.
      const answer = read.subarray(0, KEPT_BYTES).toString("utf8").replaceAll("\0", "");
      const status = response.statusCode ?? null;
      done({ status, error, answer, retryAfter: retryAfterOf(response.headers["retry-after"]) });
    });
    request.end(body);
  });
}
