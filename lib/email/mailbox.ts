import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { env } from "@/lib/env";
import { mailboxFolder } from "./transports";

type MailboxEntry = { file: string; to: string; subject: string; at: Date | null };
export type MailboxMessage = MailboxEntry & { from: string; text: string; html: string };
export type MailboxPage = { entries: MailboxEntry[]; next: string | null };

const FILE_NAME = /^[0-9]{8}T[0-9]{9}Z-[0-9a-f-]{36}\.eml$/;

/** Whether the local mailbox can be read, which is everywhere but in production. */
export function isMailboxEnabled(): boolean {
  return env().APP_ENV !== "production";
}

/** A page of messages, newest first. `before` is the file name of the last message on the previous page. */
export async function listMailbox(
  before?: string,
  limit = 50,
  folder = mailboxFolder(),
): Promise<MailboxPage> {
  const names = (await readdir(folder).catch(nullIfMissing)) ?? [];
  const sorted = names
    .filter((name) => FILE_NAME.test(name) && (!before || name < before))
    .sort()
    .reverse();
  const page = sorted.slice(0, limit);
  const messages = await Promise.all(page.map((file) => readMailbox(file, folder)));
  const entries = messages.filter((message) => message !== null);
  return { entries, next: sorted.length > limit ? (page.at(-1) ?? null) : null };
}

/** Answers one message. Null if the file does not exist or its name does not belong to a mailbox file. */
export async function readMailbox(file: string, folder = mailboxFolder()): Promise<MailboxMessage | null> {
  if (!FILE_NAME.test(file)) return null;
  const raw = await readFile(join(folder, file)).catch(nullIfMissing);
  if (!raw) return null;
  const mail = await PostalMime.parse(raw);
  return {
    file,
    from: mail.from?.address ?? "",
    to: mail.to?.map((one) => one.address).join(", ") ?? "",
    subject: mail.subject ?? "",
    at: mail.date ? new Date(mail.date) : null,
    text: mail.text ?? "",
    html: mail.html ?? "",
  };
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
