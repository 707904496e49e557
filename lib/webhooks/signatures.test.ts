import { createPublicKey, verify } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { Webhook as Svix } from "svix";
import { expect, test } from "vitest";
import { newSecret, publicKeyOf, signerOf } from "./send";

const ENDPOINT = "0199aa10-7c4e-7d11-8a54-5f7e0c3b2d19";
const BODY = '{"type":"endpoint.test","timestamp":"2026-11-25T08:00:00.000Z","data":{}}';

test("both secrets of a rotation verify; a tampered, an old and a re-serialised body do not", () => {
  const [one, two] = [newSecret(ENDPOINT), newSecret(ENDPOINT)];
  const sign = signerOf(ENDPOINT, [two.kept, one.kept], false);
  const headers = sign("e1", new Date(), BODY);
  for (const Receiver of [Webhook, Svix]) {
    for (const { secret } of [one, two]) {
      const receiver = new Receiver(secret);
      expect(() => receiver.verify(BODY, headers)).not.toThrow();
      expect(() => receiver.verify(BODY.replace("test", "tests"), headers)).toThrow();
      expect(() => receiver.verify(JSON.stringify(JSON.parse(BODY), null, 1), headers)).toThrow();
      expect(() => receiver.verify(BODY, { ...headers, "webhook-id": "e2" })).toThrow();
      const old = sign("e1", new Date(Date.now() - 6 * 60_000), BODY);
      expect(() => receiver.verify(BODY, old)).toThrow();
    }
    expect(() => new Receiver(newSecret(ENDPOINT).secret).verify(BODY, headers)).toThrow();
  }
});

test("v1a verifies with the public key alone, and the secrets are encrypted for their endpoint", () => {
  const { secret, kept } = newSecret(ENDPOINT);
  const at = new Date();
  const headers = signerOf(ENDPOINT, [kept], true)("e1", at, BODY);
  const signature = headers["webhook-signature"]?.split(" ").find((part) => part.startsWith("v1a,"));
  const publicKey = publicKeyOf(ENDPOINT, kept);
  expect(publicKey).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/);
  const x = Buffer.from(publicKey.slice("whpk_".length), "base64").toString("base64url");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  const signed = (body: string) => Buffer.from(`e1.${headers["webhook-timestamp"]}.${body}`);
  const bytes = Buffer.from(signature?.slice("v1a,".length) ?? "", "base64");
  expect(verify(null, signed(BODY), key, bytes)).toBe(true);
  expect(verify(null, signed(`${BODY} `), key, bytes)).toBe(false);
  expect(new Webhook(secret).verify(BODY, headers)).toBeTruthy();
  expect(Object.values(kept).join()).not.toContain(secret.slice("whsec_".length));
  expect(() => signerOf("0199aa10-7c4e-7d11-8a54-5f7e0c3b2d20", [kept], false)).toThrow("does not open");
});
