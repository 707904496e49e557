import { randomBytes } from "node:crypto";
import forge from "node-forge";
import type { AppleCertificates } from "./apple-settings";

type Made = { cert: forge.pki.Certificate; keys: forge.pki.rsa.KeyPair };

const YEARS = 5;

function makeKeys(): Promise<forge.pki.rsa.KeyPair> {
  return new Promise((done, fail) => {
    forge.pki.rsa.generateKeyPair({ bits: 2048 }, (error, keys) => (error ? fail(error) : done(keys)));
  });
}

function certificate(keys: forge.pki.rsa.KeyPair, name: string, authority?: Made): forge.pki.Certificate {
  const cert = forge.pki.createCertificate();
  cert.publicKey = keys.publicKey;
  cert.serialNumber = `01${randomBytes(8).toString("hex")}`;
  cert.validity.notBefore = new Date(Date.now() - 24 * 60 * 60 * 1000);
  cert.validity.notAfter = new Date(Date.now() + YEARS * 365 * 24 * 60 * 60 * 1000);
  const subject = [
    { name: "commonName", value: name },
    { name: "organizationName", value: "Loyalty Wallet development" },
  ];
  cert.setSubject(subject);
  cert.setIssuer(authority ? authority.cert.subject.attributes : subject);
  cert.setExtensions([
    { name: "basicConstraints", cA: !authority, critical: true },
    { name: "keyUsage", digitalSignature: true, keyCertSign: !authority, critical: true },
  ]);
  cert.sign(authority ? authority.keys.privateKey : keys.privateKey, forge.md.sha256.create());
  return cert;
}

/** An authority and a signer of its own, so that the whole path of a pass runs where Apple's certificates are not. */
export async function makeDevelopmentCertificates(): Promise<AppleCertificates> {
  const authorityKeys = await makeKeys();
  const authority = { keys: authorityKeys, cert: certificate(authorityKeys, "Development Pass Authority") };
  const signerKeys = await makeKeys();
  const signer = certificate(signerKeys, "Pass Type ID: pass.test.loyalty-wallet (development)", authority);
  return {
    signerCert: forge.pki.certificateToPem(signer),
    signerKey: forge.pki.privateKeyToPem(signerKeys.privateKey),
    wwdr: forge.pki.certificateToPem(authority.cert),
  };
}
