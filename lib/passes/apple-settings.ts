import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import forge from "node-forge";
import { env } from "@/lib/env";

type AppleCertificates = {
  signerCert: string;
  signerKey: string;
  wwdr: string;
  signerKeyPassphrase?: string;
};
export type AppleSettings = {
  passTypeIdentifier: string;
  teamIdentifier: string;
  certificates: AppleCertificates;
  /** Made here on first run: an iPhone will not accept its passes. */
  development: boolean;
};

/** A PEM as it is, or the base64 of one. */
export function readPem(value: string): string {
  return value.includes("-----BEGIN")
    ? value.replaceAll("\\n", "\n")
    : Buffer.from(value, "base64").toString("utf8");
}

async function developmentCertificates(): Promise<AppleCertificates> {
  const folder = join(env().DATA_DIR, "apple-development");
  const file = join(folder, "certificates.json");
  if (!existsSync(file)) {
    await mkdir(folder, { recursive: true });
    // Written aside and renamed, so that two processes starting at once never read half a file.
    const aside = `${file}.${process.pid}`;
    await writeFile(aside, JSON.stringify(await makeDevelopmentCertificates()), { mode: 0o600 });
    await rename(aside, file);
  }
  return JSON.parse(await readFile(file, "utf8")) as AppleCertificates;
}

async function load(): Promise<AppleSettings | null> {
  const set = env();
  if (
    set.APPLE_PASS_TYPE_ID &&
    set.APPLE_TEAM_ID &&
    set.APPLE_PASS_CERT &&
    set.APPLE_PASS_KEY &&
    set.APPLE_WWDR_CERT
  ) {
    return {
      passTypeIdentifier: set.APPLE_PASS_TYPE_ID,
      teamIdentifier: set.APPLE_TEAM_ID,
      certificates: {
        signerCert: readPem(set.APPLE_PASS_CERT),
        signerKey: readPem(set.APPLE_PASS_KEY),
        wwdr: readPem(set.APPLE_WWDR_CERT),
        ...(set.APPLE_PASS_KEY_PASSPHRASE ? { signerKeyPassphrase: set.APPLE_PASS_KEY_PASSPHRASE } : {}),
      },
      development: false,
    };
  }
  if (set.APP_ENV === "production") return null;
  return {
    passTypeIdentifier: "pass.test.loyalty-wallet",
    teamIdentifier: "DEVELOPER1",
    certificates: await developmentCertificates(),
    development: true,
  };
}

let loaded: Promise<AppleSettings | null> | undefined;

/** How Apple passes are signed here: by the environment's certificates, outside production else by a development one; null when passes cannot be made. */
export function appleSettings(): Promise<AppleSettings | null> {
  loaded ??= load();
  return loaded;
}

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
async function makeDevelopmentCertificates(): Promise<AppleCertificates> {
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
