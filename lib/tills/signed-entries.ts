import { compactVerify, importJWK } from "jose";
import type { ProvedTill } from "@/lib/db/context";
import type { SignedEntry } from "./model/offline";

const ordered = (value: object): string =>
  JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));

/** The entries whose signature is the till's and whose signed values are those that came. */
export async function verifiedEntries(till: ProvedTill, entries: SignedEntry[]): Promise<Set<SignedEntry>> {
  const key = await importJWK(till.publicKey, "ES256");
  const found = new Set<SignedEntry>();
  for (const entry of entries) {
    const { sSig, sMac: _mac, ...claimed } = entry;
    try {
      const { payload } = await compactVerify(sSig, key, { algorithms: ["ES256"] });
      const signed: unknown = JSON.parse(new TextDecoder().decode(payload));
      if (typeof signed === "object" && signed !== null && ordered(signed) === ordered(claimed))
        found.add(entry);
    } catch {
      // Not the till's signature: refused with the others.
    }
  }
  return found;
}
