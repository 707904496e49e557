import { createHmac, randomUUID } from "node:crypto";
import { env } from "@/lib/env";
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

const keyed = (label: string, text: string): string =>
  createHmac("sha256", `known-device:${env().AUTH_SECRET}`)
    .update(`${label}\n${text}`)
    .digest("base64url")
    .slice(0, 22);

const tagOf = (id: string, email: string): string => keyed("account", `${id}\n${email.toLowerCase()}`);

/** The device in a cookie's value; null when it is missing or was not signed here. */
export function readKnownDevice(value: string | undefined): KnownDevice | null {
  const [id = "", signature = "", ...tags] = (value ?? "").split(".");
  return id && secretsEqual(signature, keyed("device", id)) ? { id, tags: tags.slice(0, MAX_TAGS) } : null;
}

/** The cookie's value of a device that was now used with this account: a new device, or the given one. */
export function knownDeviceValue(device: KnownDevice | null | undefined, email: string): string {
  const id = device?.id ?? randomUUID();
  const tag = tagOf(id, email);
  const others = (device?.tags ?? []).filter((other) => other !== tag);
  return [id, keyed("device", id), tag, ...others].slice(0, MAX_TAGS + 2).join(".");
}

/** The id of the caller's device if it was used with this account before; otherwise null. */
export function deviceKnownTo(device: KnownDevice | null | undefined, email: string): string | null {
  return device?.tags.includes(tagOf(device.id, email)) ? device.id : null;
}
