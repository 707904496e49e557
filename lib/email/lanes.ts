import type { TemplateName } from "./render";

/** `account`: e-mails that a person waits for. `receipt`: receipts. Each lane has its own connections. */
export type EmailLane = "account" | "receipt";
export const EMAIL_LANES: readonly EmailLane[] = ["account", "receipt"];

/** The lane of a template. */
export const laneOf = (template: TemplateName): EmailLane => (template === "receipt" ? "receipt" : "account");
