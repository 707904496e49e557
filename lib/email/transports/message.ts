import type { OutgoingEmail } from "./types";

/** The message as nodemailer takes it: text and HTML, an id that never changes, no answer from robots. */
export function messageOf(mail: OutgoingEmail, from: string) {
  const domain = /@([^>\s]+)>?\s*$/.exec(from)?.[1] ?? "localhost";
  return {
    from,
    to: mail.recipient,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    date: mail.createdAt,
    messageId: `<${mail.id}@${domain}>`,
    headers: { "Auto-Submitted": "auto-generated" },
  };
}
