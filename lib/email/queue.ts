import type { Locale } from "@/lib/domain/roles";
import { traceparent } from "@/lib/observe/trace";
import { laneOf } from "./lanes";
import { renderEmail, type TemplateName, type TemplateParams } from "./render";

/** The part of a transaction that the outbox needs. */
export type OutboxTx = {
  $queryRaw<Rows>(query: TemplateStringsArray, ...values: unknown[]): PromiseLike<Rows>;
};

export type QueuedEmail<Name extends TemplateName = TemplateName> = {
  to: string;
  template: Name;
  params: TemplateParams[Name];
  locale: Locale;
  /** The id of the outbox row. A second e-mail with the same id is not written. */
  id?: string;
  /** The customer who receives the e-mail about their card. Deleting the card deletes the e-mail. */
  customerId?: string | null;
  /** The trace that caused it. Default: the current one. */
  traceparent?: string | null;
};

/**
 * Writes an e-mail to the outbox in the caller's transaction, so it is sent only if that commits. A worker finds it
 * within half a second. Answers the id of the outbox row.
 */
export async function queueEmail<Name extends TemplateName>(
  tx: OutboxTx,
  email: QueuedEmail<Name>,
): Promise<string> {
  const [id] = await queueEmails(tx, [email]);
  if (!id && email.id) return email.id;
  if (!id) throw new Error("the outbox kept nothing");
  return id;
}

/** Writes many e-mails to the outbox in one statement. Answers the ids of the new rows, without existing ones. */
export async function queueEmails<Name extends TemplateName>(
  tx: OutboxTx,
  emails: QueuedEmail<Name>[],
): Promise<string[]> {
  if (emails.length === 0) return [];
  const rows = emails.map(({ to, template, params, locale, id = null, customerId = null, ...more }) => ({
    ...renderEmail(template, params, locale),
    to,
    locale,
    id,
    customerId,
    traceparent: more.traceparent ?? traceparent(),
    lane: laneOf(template),
  }));
  const column = <Key extends keyof (typeof rows)[number]>(key: Key) => rows.map((row) => row[key]);
  const written = await tx.$queryRaw<{ id: string }[]>`
    insert into emails (id, customer_id, lane, recipient, subject, text, html, locale, traceparent)
    select coalesce(id, uuidv7()), customer_id, lane::"EmailLane", recipient, subject, text, html, locale, traceparent
    from unnest(${column("id")}::uuid[], ${column("customerId")}::uuid[], ${column("lane")}::text[],
      ${column("to")}::text[], ${column("subject")}::text[], ${column("text")}::text[], ${column("html")}::text[],
      ${column("locale")}::text[], ${column("traceparent")}::text[])
      as e(id, customer_id, lane, recipient, subject, text, html, locale, traceparent)
    on conflict (id) do nothing
    returning id::text as id`;
  return written.map(({ id }) => id);
}
