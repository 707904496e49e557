import { createHash, createSign, generateKeyPairSync, randomBytes } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";

const [USER_PRESENT, USER_VERIFIED, HAS_CREDENTIAL] = [0x01, 0x04, 0x40];
const sha256 = (data: Uint8Array | string) => createHash("sha256").update(data).digest();

type Answered = Record<string, unknown>;

/** A passkey in software, as a browser has one in the device: it answers WebAuthn's two calls. */
export function softPasskey(origin = "http://localhost:3000") {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(16);
  const [rpId, name] = [new URL(origin).hostname, id.toString("base64url")];
  let counter = 0;

  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  function authenticatorData(flags: number, more: Uint8Array = Buffer.alloc(0)): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, more]);
  }
  const credential = (response: Answered) => ({
    id: name,
    rawId: name,
    type: "public-key" as const,
    clientExtensionResults: {},
    response,
  });

  return {
    /** Answers `navigator.credentials.create` with these options. */
    create(options: { challenge: string }) {
      const { x = "", y = "" } = publicKey.export({ format: "jwk" });
      const key = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, "base64url"))],
        [-3, new Uint8Array(Buffer.from(y, "base64url"))],
      ]);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, id, isoCBOR.encode(key)]);
      const authData = authenticatorData(USER_PRESENT | USER_VERIFIED | HAS_CREDENTIAL, attested);
      const attestation = new Map<string, unknown>([
        ["fmt", "none"],
        ["attStmt", new Map()],
        ["authData", new Uint8Array(authData)],
      ]);
      const object = isoCBOR.encode(attestation as Parameters<typeof isoCBOR.encode>[0]);
      return credential({
        clientDataJSON: clientData("webauthn.create", options.challenge).toString("base64url"),
        attestationObject: Buffer.from(object).toString("base64url"),
        transports: ["internal"],
      });
    },
    /** Answers `navigator.credentials.get` with these options. */
    get(options: { challenge: string }, { verified = true }: { verified?: boolean } = {}) {
      counter += 1;
      const client = clientData("webauthn.get", options.challenge);
      const data = authenticatorData(USER_PRESENT | (verified ? USER_VERIFIED : 0));
      const signature = createSign("sha256")
        .update(Buffer.concat([data, sha256(client)]))
        .sign(privateKey);
      return credential({
        clientDataJSON: client.toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: signature.toString("base64url"),
      });
    },
    /** The copy of a passkey counts from what it knew. */
    setCounter(value: number) {
      counter = value;
    },
  };
}
