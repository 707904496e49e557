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
  /** Whether the certificates are self-made on first run. An iPhone does not accept their passes. */
  development: boolean;
};

/** Decodes a PEM that is given as it is, with escaped line breaks, or as base64. */
export function decodePem(value: string): string {
  return value.includes("-----BEGIN")
    ? value.replaceAll("\\n", "\n")
    : Buffer.from(value, "base64").toString("utf8");
}

async function developmentCertificates(): Promise<AppleCertificates> {
  const folder = join(env().DATA_DIR, "apple-development");
  const file = join(folder, "certificates.json");
  if (!existsSync(file)) {
    await mkdir(folder, { recursive: true });
    // A rename is atomic, so two processes that start at the same time never read half a file.
    const temporary = `${file}.${process.pid}`;
    await writeFile(temporary, JSON.stringify(await makeDevelopmentCertificates()), { mode: 0o600 });
    await rename(temporary, file);
  }
  return JSON.parse(await readFile(file, "utf8")) as AppleCertificates;
}

async function loadSettings(): Promise<AppleSettings | null> {
  const settings = env();
  if (
    settings.APPLE_PASS_TYPE_ID &&
    settings.APPLE_TEAM_ID &&
    settings.APPLE_PASS_CERT &&
    settings.APPLE_PASS_KEY &&
    settings.APPLE_WWDR_CERT
  ) {
    return {
      passTypeIdentifier: settings.APPLE_PASS_TYPE_ID,
      teamIdentifier: settings.APPLE_TEAM_ID,
      certificates: {
        signerCert: decodePem(settings.APPLE_PASS_CERT),
        signerKey: decodePem(settings.APPLE_PASS_KEY),
        wwdr: decodePem(settings.APPLE_WWDR_CERT),
        signerKeyPassphrase: settings.APPLE_PASS_KEY_PASSPHRASE,
      },
      development: false,
    };
  }
  if (settings.APP_ENV === "production") return null;
  return {
    passTypeIdentifier: "pass.test.loyalty-wallet",
    teamIdentifier: "DEVELOPER1",
    certificates: await developmentCertificates(),
    development: true,
  };
}

let loaded: Promise<AppleSettings | null> | undefined;

/**
 * The settings for signing Apple passes: the environment's certificates, else outside production a development
 * certificate; null when passes are not available.
 */
export function appleSettings(): Promise<AppleSettings | null> {
  loaded ??= loadSettings();
  return loaded;
}

type Authority = { cert: forge.pki.Certificate; keys: forge.pki.rsa.KeyPair };

const VALID_YEARS = 5;

function makeKeys(): Promise<forge.pki.rsa.KeyPair> {
  return new Promise((done, fail) => {
    forge.pki.rsa.generateKeyPair({ bits: 2048 }, (error, keys) => (error ? fail(error) : done(keys)));
  });
}

function certificate(
  keys: forge.pki.rsa.KeyPair,
  name: string,
  authority?: Authority,
): forge.pki.Certificate {
  const cert = forge.pki.createCertificate();
  cert.publicKey = keys.publicKey;
  cert.serialNumber = `01${randomBytes(8).toString("hex")}`;
  cert.validity.notBefore = new Date(Date.now() - 24 * 60 * 60 * 1000);
  cert.validity.notAfter = new Date(Date.now() + VALID_YEARS * 365 * 24 * 60 * 60 * 1000);
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

/** A self-made authority and signer, so that passes can be signed and tested without Apple's certificates. */
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
