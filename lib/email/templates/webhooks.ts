import { formatDateTime } from "@/lib/domain/time";
import { button, type Template, text } from "@/lib/email/content";

/** `change`: a third failure, a day without success, or its end. `host` is the endpoint's. */
type FailsParams = {
  name: string;
  host: string;
  change: "third" | "day" | "disabled";
  at: Date;
  url: string;
};

const fails: Template<FailsParams> = ({ t, locale }, { name, host, change, at, url }) => ({
  subject: t("email.webhook_fails.subject", { change, host }),
  sender: t("email.common.product"),
  heading: t("email.webhook_fails.heading", { change }),
  blocks: [
    text(t("email.common.greeting", { name })),
    text(t("email.webhook_fails.body", { change, host, time: formatDateTime(at, locale) })),
    text(t("email.webhook_fails.note", { change })),
    button(t("email.webhook_fails.action"), url),
  ],
});

export const WEBHOOK_TEMPLATES = { webhook_fails: fails };
