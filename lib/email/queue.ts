import type { Locale } from "@/lib/domain/roles";
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
};

/**
 * Writes an e-mail into the outbox, and the job that delivers it, within the caller's transaction:
 * both are there when it commits, neither when it rolls back. Answers the outbox row's id.
 */
export async function queueEmail<Name extends TemplateName>(
  tx: OutboxTx,
  { to, template, params, locale, id }: QueuedEmail<Name>,
): Promise<string> {
  const { subject, text, html } = renderEmail(template, params, locale);
  const [row] = await tx.$queryRaw<{ id: string; worker: boolean }[]>`
    insert into emails (id, recipient, subject, text, html, locale)
    values (coalesce(${id ?? null}::uuid, uuidv7()), ${to}, ${subject}, ${text}, ${html}, ${locale})
    on conflict (id) do nothing
    returning id::text as id, to_regnamespace('graphile_worker') is not null as worker`;
  if (!row && id) return id;
  if (!row) throw new Error("the outbox kept nothing");
  // Without the worker's schema the row waits for the sweep.
  if (row.worker) {
    await tx.$queryRaw`
      select (graphile_worker.add_job('send_email', json_build_object('id', ${row.id}::text),
        max_attempts := 25, job_key := ${`send_email:${row.id}`}::text)).id::text as job`;
  }
  return row.id;
}
