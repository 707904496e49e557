import { DomainError } from "@/lib/domain/errors";
import { readImage } from "@/lib/files";
import { buildApplePass } from "./apple-pass";
import { appleSettings } from "./apple-settings";
import type { PassCard } from "./pass-card";

// A signature costs tens of milliseconds: a version of a pass is signed once, not once a download.
const signed = new Map<string, Promise<Buffer>>();
const KEPT = 200;
// The strip at three times its size, from which every smaller picture is cut.
const STRIP = { format: "png", width: 1125 } as const;

/** The signed pass of a card as it is now. Throws wallet_unavailable where there are no certificates. */
export async function signedPass(card: PassCard): Promise<Buffer> {
  const settings = await appleSettings();
  if (!settings) throw new DomainError("wallet_unavailable");
  const version = JSON.stringify([
    card.serial,
    card.changedAt,
    card.balance,
    card.dirhamsPerPoint,
    card.voided,
    card.fullName,
    card.merchant,
  ]);
  const known = signed.get(version);
  if (known) return known;
  const { imageKey } = card.merchant;
  const image = imageKey ? readImage(imageKey, STRIP) : Promise.resolve(null);
  const made = image.then((picture) => buildApplePass(card, settings, picture));
  signed.set(version, made);
  made.catch(() => signed.delete(version));
  for (const oldest of signed.keys()) {
    if (signed.size <= KEPT) break;
    signed.delete(oldest);
  }
  return made;
}
