import { readAccount } from "@/lib/accounts/credentials";
import type { Db } from "@/lib/db/client";
import { type KnownDevice, knownDeviceValue, readKnownDevice } from "@/lib/secrets/known-device";

/** The value of the cookie of a browser that signed in to this account with its present credentials. */
export async function staffDevice(
  db: Db,
  userId: string,
  device: KnownDevice | null = null,
): Promise<string> {
  const account = await readAccount(db, { userId });
  if (!account) throw new Error("no such account");
  return knownDeviceValue(device, { userId, credentials: account.credentials });
}

/** The same, as operations get it. */
export const knownTo = async (db: Db, user: { id: string }): Promise<KnownDevice | null> =>
  readKnownDevice(await staffDevice(db, user.id));
