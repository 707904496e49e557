import { z } from "zod";
import { env } from "@/lib/env";

const keySchema = z.object({ client_email: z.string(), private_key: z.string() });
export type GoogleSettings = { issuerId: string; clientEmail: string; privateKey: string };

/** How Google Wallet objects are signed and updated here, or null when it is not set up. `GOOGLE_WALLET_KEY` is the service account's JSON, or its base64. */
export function googleSettings(): GoogleSettings | null {
  const { GOOGLE_WALLET_ISSUER_ID, GOOGLE_WALLET_KEY } = env();
  if (!GOOGLE_WALLET_ISSUER_ID || !GOOGLE_WALLET_KEY) return null;
  const json = GOOGLE_WALLET_KEY.trimStart().startsWith("{")
    ? GOOGLE_WALLET_KEY
    : Buffer.from(GOOGLE_WALLET_KEY, "base64").toString("utf8");
  const key = keySchema.parse(JSON.parse(json));
  return { issuerId: GOOGLE_WALLET_ISSUER_ID, clientEmail: key.client_email, privateKey: key.private_key };
}
