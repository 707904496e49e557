import { randomUUID } from "node:crypto";
import { acceptedMacs, macOf, secretsEqual } from "./secrets";

/**
 * A browser that signed in, or held a card, before. It has its own budgets, so that strangers who use up an account's do not
 * shut it out. It grants nothing else: no session, no card.
 */
export type KnownDevice = {
  id: string;
  /** One mark for each owner that it was used with, newest first. They prove nothing for other owners. */
  marks: readonly string[];
};

/** The holder of cards with an e-mail, or a staff account with the version of its credentials, whose change voids the mark. */
export type MarkOwner = { email: string } | { userId: string; credentials: string };

// More accounts than one shared till has staff; the cookie stays below 600 bytes.
const MAX_MARKS = 20;

const shortened = (mac: Buffer): string => mac.toString("base64url").slice(0, 22);
const deviceText = (id: string): string => `device\n${id}`;
const markText = (id: string, owner: MarkOwner): string =>
  "email" in owner
    ? `account\n${id}\n${owner.email.toLowerCase()}`
    : `staff\n${id}\n${owner.userId}\n${owner.credentials}`;
const signed = (text: string): string => shortened(macOf("devices", text));
/** Answers the signatures that are valid for the text, also after a rotation of AUTH_SECRET. */
const accepted = (text: string): string[] => acceptedMacs("devices", text).map(shortened);

/** A device that was used with no account yet. */
export const newDevice = (): KnownDevice => ({ id: randomUUID(), marks: [] });

/** The device in a cookie's value; null when it is missing or was not signed here. */
export function readKnownDevice(value: string | undefined): KnownDevice | null {
  const [id = "", signature = "", ...marks] = (value ?? "").split(".");
  const known = id && accepted(deviceText(id)).some((mac) => secretsEqual(signature, mac));
  return known ? { id, marks: marks.slice(0, MAX_MARKS) } : null;
}

/** The cookie's value of a device that was now used with this owner: a new device, or the given one. */
export function knownDeviceValue(device: KnownDevice | null | undefined, owner: MarkOwner): string {
  const { id, marks } = device ?? newDevice();
  const mark = signed(markText(id, owner));
  const others = marks.filter((other) => other !== mark);
  return [id, signed(deviceText(id)), mark, ...others].slice(0, MAX_MARKS + 2).join(".");
}

/** The id of the caller's device if it was used with this owner before; otherwise null. */
export function deviceKnownTo(device: KnownDevice | null | undefined, owner: MarkOwner): string | null {
  if (!device) return null;
  return accepted(markText(device.id, owner)).some((mark) => device.marks.includes(mark)) ? device.id : null;
}
