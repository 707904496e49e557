import type { Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import type { Prisma } from "@/lib/db/generated/client";

export type AuditEntry = {
  merchantId: string | null;
  /** What was done, as "worker.disabled". */
  action: string;
  entity: string;
  entityId: string;
  before?: Prisma.InputJsonObject;
  after?: Prisma.InputJsonObject;
};

/** Writes down who changed what, within the change's own transaction. */
export async function audit(tx: Tx, ctx: Pick<Context, "actor">, entry: AuditEntry): Promise<void> {
  await tx.audit.create({ data: { ...entry, actorId: ctx.actor.userId }, select: { id: true } });
}
