import { formatDateTime } from "@/lib/domain/time";
import { type Block, button, type Template, text } from "@/lib/email/content";
import type { MovementType } from "@/lib/ledger/model/movements";

/** `prefix` is the key's first characters; `person` is empty for an administrator of the platform. */
type KeyParams = { name: string; key: string; prefix: string; at: Date; url: string };
type ChangedParams = KeyParams & { change: "created" | "changed" | "rotated" | "revoked"; person: string };

const changed: Template<ChangedParams> = ({ t, locale }, { name, key, prefix, change, person, at, url }) => ({
  subject: t("email.api_key_changed.subject", { change, key }),
  sender: t("email.common.product"),
  heading: t("email.api_key_changed.heading", { change }),
  blocks: [
    text(t("email.common.greeting", { name })),
    text(
      t("email.api_key_changed.body", {
        change,
        key,
        prefix,
        person,
        by: person ? "person" : "platform",
        time: formatDateTime(at, locale),
      }),
    ),
    text(t("email.api_key_changed.note", { change })),
    button(t("email.api_key_changed.action"), url),
  ],
});

/** What the key did in the last 24 hours; `points` are unsigned. */
type LeakedParams = KeyParams & {
  requests: number;
  movements: { type: MovementType; count: number; points: number }[];
};

const leaked: Template<LeakedParams> = (
  { t, locale },
  { name, key, prefix, at, url, requests, movements },
) => {
  const rows = movements.map(({ type, count, points }) => ({
    label: t(`movements.types.${type}`),
    value: t("email.api_key_leaked.sum", { count, points }),
  }));
  const facts: Block = {
    kind: "facts",
    rows: [{ label: t("email.api_key_leaked.requests"), value: String(requests) }, ...rows],
  };
  return {
    subject: t("email.api_key_leaked.subject", { key }),
    sender: t("email.common.product"),
    heading: t("email.api_key_leaked.heading"),
    blocks: [
      text(t("email.common.greeting", { name })),
      text(t("email.api_key_leaked.body", { key, prefix, time: formatDateTime(at, locale) })),
      facts,
      text(t("email.api_key_leaked.note")),
      button(t("email.api_key_leaked.action"), url),
    ],
  };
};

export const API_KEY_TEMPLATES = { api_key_changed: changed, api_key_leaked: leaked };
