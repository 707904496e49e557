import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import { messageOf } from "./message";
import type { OutgoingEmail, Transport } from "./types";

/** Keeps each message as an RFC 822 file `<time>-<id>.eml` in a folder; delivered again, it is the same file. */
export function mailboxTransport(folder: string, from: string): Transport {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: "windows" });
  return {
    name: "mailbox",
    async send(mail: OutgoingEmail) {
      const { message } = await composer.sendMail(messageOf(mail, from));
      const name = `${mail.createdAt.toISOString().replace(/[-:.]/g, "")}-${mail.id}.eml`;
      await mkdir(folder, { recursive: true });
      // Written aside and renamed: a reader never meets half a message.
      const aside = join(folder, `.${name}.part`);
      await writeFile(aside, message as Buffer);
      await rename(aside, join(folder, name));
    },
  };
}
