export { type OutboxTx, type QueuedEmail, queueEmail } from "./queue";
export { type RenderedEmail, renderEmail } from "./render";
export type { TemplateName, TemplateParams } from "./templates";
