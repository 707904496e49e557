import type { Email } from "@/lib/db/generated/client";
import { readMailbox } from "@/lib/email/mailbox";
import { mailboxFile } from "@/lib/email/transports";

/** The text of an e-mail of the outbox. One that was sent has it in the mailbox alone. Throws an Error where it is not. */
export async function textOf(mail: Email): Promise<string> {
  if (mail.status !== "sent") return mail.text;
  const sent = await readMailbox(mailboxFile(mail));
  if (!sent) throw new Error(`the mailbox has no file of e-mail ${mail.id}`);
  return sent.text;
}
