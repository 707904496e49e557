import { Prisma } from "@/lib/db/generated/client";
import { DomainError } from "@/lib/domain/errors";
import { operation } from "@/lib/operations/operation";
import { auditWebhook, lockEndpoint } from "./change-webhooks";
import { replaySchema } from "./model";

const moment = (date: Date | undefined, otherwise: string) =>
  date ? Prisma.sql`${date}::timestamptz` : Prisma.sql`${otherwise}::timestamptz`;

/**
 * Sends again what an endpoint got or missed: one event, those of a range of time, or what failed (since `from`). An event
 * keeps its id. Answers how many events are sent. Throws webhook_not_found; not_found for an event that never went there.
 */
export const replayWebhook = operation({
  permission: "webhooks.manage",
  keyScope: "webhooks",
  input: replaySchema,
  errors: ["webhook_not_found", "not_found"],
  run: async (ctx, { id, eventId, from, to, failedOnly }): Promise<{ count: number }> =>
    ctx.db.$transaction(async (tx) => {
      const endpoint = await lockEndpoint(tx, id, ctx.reach);
      const within = Prisma.sql`v.created_at >= ${moment(from, "-infinity")} and v.created_at < ${moment(to, "infinity")}`;
      const one = eventId ? Prisma.sql`v.id = ${eventId}::uuid` : Prisma.sql`true`;
      const failed = failedOnly
        ? Prisma.sql`exists (select from webhook_deliveries d
            where d.endpoint_id = w.id and d.event_id = v.id and d.state = 'failed')`
        : Prisma.sql`true`;
      // What is not yet followed comes by itself.
      const count = await tx.$executeRaw`
        insert into webhook_deliveries (endpoint_id, event_id, subject_id, i_seq, tx)
        select w.id, v.id, v.subject_id, v.i_seq, v.tx
        from webhook_endpoints w join events v on v.merchant_id = w.merchant_id
        where w.id = ${id}::uuid and ${within} and ${one} and ${failed}
          and (v.tx, v.subject_id, v.i_seq) <= (w.after_tx, w.after_subject, w.after_seq)
          and ((v.type = any (w.events) and (w.branch_id is null or w.branch_id = v.branch_id))
            or (v.type = 'endpoint.test' and v.subject_id = w.id))
        order by v.tx, v.subject_id, v.i_seq
        on conflict (endpoint_id, event_id)
          do update set state = 'pending', attempts = 0, next_at = now(), failed_at = null`;
      if (eventId && count === 0) throw new DomainError("not_found");
      await auditWebhook(tx, ctx, endpoint, "replayed");
      return { count };
    }),
});
