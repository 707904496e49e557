import type { TemplateName } from "./render";

/** `account`: e-mails that a person waits for. `receipt`: receipts. Each lane has its own connections. */
export type EmailLane = "account" | "receipt";
export const EMAIL_LANES: readonly EmailLane[] = ["account", "receipt"];

// Codes, links that prove a mailbox, and what goes to card holders.
const AT_ONCE: readonly TemplateName[] = [
  "confirm_mailbox",
  "password_reset",
  "worker_invite",
  "admin_invite",
  "receipt",
  "card_welcome",
  "my_cards",
  "card_device",
  "email_changed",
  "email_change_asked",
];

/** Whether an e-mail to a user waits until they have proved their mailbox. */
export const waitsForProof = (template: TemplateName): boolean =>
  !template.startsWith("code_") && !AT_ONCE.includes(template);

/** The lane of a template. */
export const laneOf = (template: TemplateName): EmailLane => (template === "receipt" ? "receipt" : "account");
