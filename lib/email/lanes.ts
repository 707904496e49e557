import type { TemplateName } from "./render";

/** E-mails that somebody waits for, and those that may take their time. Each lane has connections of its own. */
export type EmailLane = "account" | "receipt";
export const EMAIL_LANES: readonly EmailLane[] = ["account", "receipt"];

/** The lane of an e-mail. */
export const laneOf = (template: TemplateName): EmailLane => (template === "receipt" ? "receipt" : "account");
