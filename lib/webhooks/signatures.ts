import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { seal, unseal } from "@/lib/secrets/secrets";

/** What an endpoint's secret is in the database: both parts are encrypted for the endpoint. */
export type SealedSecret = { secret: string; signingKey: string };

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

const privateKeyOf = (endpointId: string, { signingKey }: SealedSecret) =>
  createPrivateKey({
    key: Buffer.from(open(endpointId, signingKey), "base64"),
    type: "pkcs8",
    format: "der",
  });

/** The key with which receivers verify v1a: `whpk_` and the 32 bytes in base64. */
export function publicKeyOf(endpointId: string, kept: SealedSecret): string {
  const { x = "" } = createPublicKey(privateKeyOf(endpointId, kept)).export({ format: "jwk" });
  return `whpk_${Buffer.from(x, "base64url").toString("base64")}`;
}

/** Signs the bodies of one endpoint, by each of its secrets: v1 (HMAC), and v1a (ed25519) where it is wanted. */
export function signerOf(endpointId: string, secrets: SealedSecret[], asymmetric: boolean) {
  const shared = secrets.map(({ secret }) => new Webhook(open(endpointId, secret)));
  const own = asymmetric ? secrets.map((kept) => privateKeyOf(endpointId, kept)) : [];
  /** The headers of Standard Webhooks for this body. */
  return (id: string, at: Date, body: string): Record<string, string> => {
    const timestamp = String(Math.floor(at.getTime() / 1000));
    const signed = Buffer.from(`${id}.${timestamp}.${body}`);
    const signatures = [
      ...shared.map((webhook) => webhook.sign(id, at, body)),
      ...own.map((key) => `v1a,${sign(null, signed, key).toString("base64")}`),
    ];
    return {
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": signatures.join(" "),
    };
  };
}
export type Signer = ReturnType<typeof signerOf>;
