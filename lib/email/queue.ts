import type { Locale } from "@/lib/domain/roles";
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
  /** What the e-mail is about, when there may be only one for it: a second one under this id is not written. */
  id?: string;
  /** The customer whose card it is about, when it goes to that customer: deleting the card deletes the e-mail. */
  customerId?: string | null;
};

/**
 * Writes an e-mail into the outbox within the caller's transaction: it is there when that commits, not when it rolls
 * back. Whoever does background work finds it there within half a second. Answers the outbox row's id.
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

/** As queueEmail for many, in one statement. Answers the ids of the rows that were written, not of those that stood already. */
export async function queueEmails<Name extends TemplateName>(
  tx: OutboxTx,
  emails: QueuedEmail<Name>[],
): Promise<string[]> {
  if (emails.length === 0) return [];
  const rows = emails.map(({ to, template, params, locale, id = null, customerId = null }) => ({
    ...renderEmail(template, params, locale),
    to,
    locale,
    id,
    customerId,
    lane: laneOf(template),
  }));
  const column = <Key extends keyof (typeof rows)[number]>(key: Key) => rows.map((row) => row[key]);
  const written = await tx.$queryRaw<{ id: string }[]>`
    insert into emails (id, customer_id, lane, recipient, subject, text, html, locale)
    select coalesce(id, uuidv7()), customer_id, lane::"EmailLane", recipient, subject, text, html, locale
    from unnest(${column("id")}::uuid[], ${column("customerId")}::uuid[], ${column("lane")}::text[],
      ${column("to")}::text[], ${column("subject")}::text[], ${column("text")}::text[], ${column("html")}::text[],
      ${column("locale")}::text[]) as e(id, customer_id, lane, recipient, subject, text, html, locale)
    on conflict (id) do nothing
    returning id::text as id`;
  return written.map(({ id }) => id);
}
