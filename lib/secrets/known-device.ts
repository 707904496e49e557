import { randomUUID } from "node:crypto";
import { acceptedMacs, macOf } from "./keys";
import { secretsEqual } from "./secrets";

/**
 * A browser that signed in, or held a card, before. It has budgets of its own, so that strangers who use up an account's
 * attempts, codes or links do not shut it out. It grants nothing else: no session, no card.
 */
export type KnownDevice = {
  id: string;
  /** One tag for each account that it was used with, newest first. They prove nothing for other accounts. */
  tags: readonly string[];
};

// More accounts than one shared till has staff; the cookie stays below 600 bytes.
const MAX_TAGS = 20;

const shortened = (mac: Buffer): string => mac.toString("base64url").slice(0, 22);
const deviceText = (id: string): string => `device\n${id}`;
const accountText = (id: string, email: string): string => `account\n${id}\n${email.toLowerCase()}`;
const signed = (text: string): string => shortened(macOf("devices", text));
/** What the text may be signed with, also after a rotation of AUTH_SECRET. */
const accepted = (text: string): string[] => acceptedMacs("devices", text).map(shortened);

/** A device that was used with no account yet. */
export const newDevice = (): KnownDevice => ({ id: randomUUID(), tags: [] });

/** The device in a cookie's value; null when it is missing or was not signed here. */
export function readKnownDevice(value: string | undefined): KnownDevice | null {
  const [id = "", signature = "", ...tags] = (value ?? "").split(".");
  const known = id && accepted(deviceText(id)).some((mac) => secretsEqual(signature, mac));
  return known ? { id, tags: tags.slice(0, MAX_TAGS) } : null;
}

/** The cookie's value of a device that was now used with this account: a new device, or the given one. */
export function knownDeviceValue(device: KnownDevice | null | undefined, email: string): string {
  const { id, tags } = device ?? newDevice();
  const tag = signed(accountText(id, email));
  const others = tags.filter((other) => other !== tag);
  return [id, signed(deviceText(id)), tag, ...others].slice(0, MAX_TAGS + 2).join(".");
}

/** The id of the caller's device if it was used with this account before; otherwise null. */
export function deviceKnownTo(device: KnownDevice | null | undefined, email: string): string | null {
  if (!device) return null;
  return accepted(accountText(device.id, email)).some((tag) => device.tags.includes(tag)) ? device.id : null;
}
