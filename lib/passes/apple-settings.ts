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

/** The environment's certificates, else outside production a development one; null where passes are off. */
export function appleSettings(): Promise<AppleSettings | null> {
  loaded ??= loadSettings();
  return loaded;
}

const VALID_YEARS = 5;

/** A certificate that signs itself, so that passes can be signed and tested without Apple's certificates. */
async function makeDevelopmentCertificates(): Promise<AppleCertificates> {
  const keys = await new Promise<forge.pki.rsa.KeyPair>((done, fail) => {
    forge.pki.rsa.generateKeyPair({ bits: 2048 }, (error, made) => (error ? fail(error) : done(made)));
  });
  const cert = forge.pki.createCertificate();
  cert.publicKey = keys.publicKey;
  cert.serialNumber = `01${randomBytes(8).toString("hex")}`;
  cert.validity.notBefore = new Date(Date.now() - 24 * 60 * 60 * 1000);
  cert.validity.notAfter = new Date(Date.now() + VALID_YEARS * 365 * 24 * 60 * 60 * 1000);
  const subject = [
    { name: "commonName", value: "Pass Type ID: pass.test.loyalty-wallet (development)" },
    { name: "organizationName", value: "Loyalty Wallet development" },
  ];
  cert.setSubject(subject);
  cert.setIssuer(subject);
  cert.setExtensions([
    { name: "basicConstraints", cA: true, critical: true },
    { name: "keyUsage", digitalSignature: true, keyCertSign: true, critical: true },
  ]);
  cert.sign(keys.privateKey, forge.md.sha256.create());
  const signerCert = forge.pki.certificateToPem(cert);
  return { signerCert, signerKey: forge.pki.privateKeyToPem(keys.privateKey), wwdr: signerCert };
}
