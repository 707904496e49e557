import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@playwright/test";
import PostalMime, { type Email } from "postal-mime";

const folder = () => join(process.env.DATA_DIR ?? "", "mailbox");

/** How often to look: a second look after a second would be most of the wait. */
const OFTEN = [100, 250];

/** What this process has read: a message never changes, and a journey that waits for one looks at all of them often. */
const read = new Map<string, Promise<Email>>();
function mailIn(name: string): Promise<Email> {
  const mail = read.get(name) ?? PostalMime.parse(readFileSync(join(folder(), name)));
  read.set(name, mail);
  return mail;
}

/** The messages to one address, oldest first. */
export async function mailTo(address: string): Promise<Email[]> {
  if (!existsSync(folder())) return [];
  const files = readdirSync(folder()).filter((name) => name.endsWith(".eml"));
  const mails = await Promise.all(files.sort().map(mailIn));
  return mails.filter((mail) => mail.to?.some((to) => to.address === address));
}

/** Waits for the `count`-th message to an address and answers it. */
export async function lastMail(address: string, count = 1): Promise<Email> {
  await expect
    .poll(async () => (await mailTo(address)).length, { message: `mail to ${address}`, intervals: OFTEN })
    .toBeGreaterThanOrEqual(count);
  const mail = (await mailTo(address)).at(-1);
  if (!mail) throw new Error(`No mail to ${address}.`);
  return mail;
}

// Digits on their own: a reference or a link may contain six digits in a row.
const codeIn = ({ text = "" }: Email) => /(?<![\w-])\d{6}(?![\w-])/.exec(text)?.[0];

/** The last six-digit code sent to an address; waits for the `count`-th first. Mails without a code do not count. */
export async function lastCode(address: string, count = 1): Promise<string> {
  let codes: string[] = [];
  await expect
    .poll(
      async () => {
        codes = (await mailTo(address)).flatMap((mail) => codeIn(mail) ?? []);
        return codes.length;
      },
      { message: `codes to ${address}`, intervals: OFTEN },
    )
    .toBeGreaterThanOrEqual(count);
  return codes.at(-1) ?? "";
}

/** Six digits that are not this code. */
export const wrongCode = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, "0");

/** The first link of this site in the last message to an address, as a path. */
export async function lastLink(address: string, count = 1): Promise<string> {
  const { text = "" } = await lastMail(address, count);
  const link = /https?:\/\/[^\s>)]+/.exec(text)?.[0];
  if (!link) throw new Error(`No link in: ${text}`);
  const { pathname, search } = new URL(link);
  return pathname + search;
}
