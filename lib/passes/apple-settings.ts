import { existsSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { env } from "@/lib/env";
import { makeDevelopmentCertificates } from "./development-certificates";

export type AppleCertificates = {
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
