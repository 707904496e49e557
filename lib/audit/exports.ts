import type { Db } from "@/lib/db/client";
import { type AuditContext, type AuditEntry, audit } from "./audit";

type Export = Extract<AuditEntry["action"], `export.${string}`>;

/**
 * Writes down an export with its filter, before its first line is read. An export of all merchants names none. Of a
 * search it keeps only that there was one: its text may be a customer's name, which deleting the card could not find.
 */
export async function auditExport(
  db: Db,
  ctx: AuditContext,
  action: Export,
  merchantId: string | null,
  filter: Record<string, string | number | boolean | undefined>,
): Promise<void> {
  const { search, ...kept } = filter;
  const after = search ? { ...kept, searched: true } : kept;
  const record = merchantId
    ? { entity: "merchant" as const, entityId: merchantId }
    : { entity: "platform" as const };
  await audit(db, ctx, { merchantId, action, ...record, after });
}
