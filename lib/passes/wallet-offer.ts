import { appleSettings } from "./apple-settings";
import { googleSettings } from "./google-settings";

/** Which wallets a card can be added to here, and whether Apple's is by a development certificate. */
export async function walletOffer(): Promise<{ apple: boolean; appleDevelopment: boolean; google: boolean }> {
  const apple = await appleSettings();
  return {
    apple: apple !== null,
    appleDevelopment: apple?.development ?? false,
    google: googleSettings() !== null,
  };
}
