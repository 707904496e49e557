import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@playwright/test";
import PostalMime, { type Email } from "postal-mime";

const folder = () => join(process.env.DATA_DIR ?? "", "mailbox");

/** The messages to one address, oldest first. */
export async function mailTo(address: string): Promise<Email[]> {
  if (!existsSync(folder())) return [];
  const files = readdirSync(folder()).filter((name) => name.endsWith(".eml"));
  const mails = await Promise.all(
    files.sort().map((name) => PostalMime.parse(readFileSync(join(folder(), name)))),
  );
  return mails.filter((mail) => mail.to?.some((to) => to.address === address));
}

/** Waits for the `count`-th message to an address and answers it. */
export async function lastMail(address: string, count = 1): Promise<Email> {
  await expect
    .poll(async () => (await mailTo(address)).length, { message: `mail to ${address}` })
    .toBeGreaterThanOrEqual(count);
  const mail = (await mailTo(address)).at(-1);
  if (!mail) throw new Error(`No mail to ${address}.`);
  return mail;
}

/** The six digits of the last message to an address; waits for its `count`-th message first. */
export async function lastCode(address: string, count = 1): Promise<string> {
  const { text = "" } = await lastMail(address, count);
  const code = /(?<!\d)\d{6}(?!\d)/.exec(text)?.[0];
  if (!code) throw new Error(`No code in: ${text}`);
  return code;
}

/** The first link of this site in the last message to an address, as a path. */
export async function lastLink(address: string, count = 1): Promise<string> {
  const { text = "" } = await lastMail(address, count);
  const link = /https?:\/\/[^\s>)]+/.exec(text)?.[0];
  if (!link) throw new Error(`No link in: ${text}`);
  const { pathname, search } = new URL(link);
  return pathname + search;
}
