import { audit } from "@/lib/audit/audit";
import type { Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import type { PendingChange as Row } from "@/lib/db/generated/client";
import { authorize, type SystemActor } from "@/lib/domain/actor";
import type { PendingAllowance } from "@/lib/domain/merchant-settings";
import { type ConfigScope, configScopeSchema } from "@/lib/domain/points-config";
import { auditConfig } from "./config-versions";
import { HOURS, replaceOpen, tellAdministrators, waitOf } from "./pending-changes";
import { configMerchant } from "./read-config";

/** How the audit log and the e-mails name the value: a merchant's allowance, or the platform's ceiling of it (null). */
export const allowanceName = (merchantId: string | null) =>
  merchantId === null ? ("redeemAllowanceCeiling" as const) : ("redeemAllowance" as const);

/**
 * Locks a merchant's allowance, or the platform's ceiling of it (null), and answers it; null for an unknown merchant.
 * Whoever changes it, asks for a change or applies one locks it first, so that each sees what the one before did.
 */
export async function lockAllowance(tx: Tx, merchantId: string | null): Promise<number | null> {
  const [row] =
    merchantId === null
      ? await tx.$queryRaw<{ now: number }[]>`
          select redeem_allowance_ceiling as now from platform_settings for no key update`
      : await tx.$queryRaw<{ now: number }[]>`
          select redeem_allowance as now from merchants where id = ${merchantId}::uuid for no key update`;
  return row?.now ?? null;
}

/** Whether a customer of the merchant, or of any (null), holds points that could be redeemed. */
async function hasHeldPoints(tx: Tx, merchantId: string | null): Promise<boolean> {
  const found = await tx.$queryRaw<unknown[]>`
    select held.id::text from merchants m cross join lateral (
      select id from customers c where c.merchant_id = m.id and c.balance > 0
      order by c.registered_at desc, c.id desc limit 1
    ) held where ${merchantId}::uuid is null or m.id = ${merchantId}::uuid limit 1`;
  return found.length > 0;
}

type Step = { now: number; wanted: number };

/**
 * Whether an administrator's change waits: a raise while customers hold points. A lower value takes power away, and one
 * that nobody holds points under touches nobody. A top-up at the same moment has no part in it: points that come later
 * are redeemed under the allowance that their holder finds.
 */
export async function allowanceWaits(
  tx: Tx,
  merchantId: string | null,
  { now, wanted }: Step,
): Promise<boolean> {
  return wanted > now && (await hasHeldPoints(tx, merchantId));
}

/**
 * Writes a raise that waits 24 hours, in place of the one that waited before; the same one again by the same
 * administrator goes on waiting. The caller holds lockAllowance.
 */
export async function askForAllowance(
  tx: Tx,
  ctx: Context,
  merchantId: string | null,
  { now, wanted }: Step,
): Promise<void> {
  const askedById = ctx.actor.userId;
  const same = { kind: "allowance", merchantId, closedAt: null, redeemAllowance: wanted, askedById } as const;
  if ((await tx.pendingChange.count({ where: same })) > 0) return;
  await replaceOpen(tx, ctx, merchantId, { mailed: false, kind: "allowance" });
  const name = allowanceName(merchantId);
  await tx.$executeRaw`
    insert into pending_changes (kind, merchant_id, redeem_allowance, before, needs_approval, alone, mails, asked_by_id,
      effective_at)
    values ('allowance', ${merchantId}::uuid, ${wanted}::int, ${JSON.stringify({ [name]: now })}::jsonb, false, false,
      '{asked}', ${askedById}::uuid, now() + ${HOURS.waits}::int * interval '1 hour')`;
  await auditConfig(tx, ctx, merchantId, "config.asked", [{ [name]: now }, { [name]: wanted }]);
  await tellAdministrators(tx, ctx, merchantId);
}

/** Ends the raise that waits, because the allowance is another one now, and mails the owners that it does not come. */
export const endPendingAllowance = (tx: Tx, ctx: Context, merchantId: string | null): Promise<void> =>
  replaceOpen(tx, ctx, merchantId, { mailed: true, kind: "allowance" });

/**
 * Puts a raise whose time has come in force, and writes it to the audit log. Answers why not: it is above the ceiling of
 * today. The caller holds lockAllowance.
 */
export async function writeAllowance(
  tx: Tx,
  actor: SystemActor,
  { merchantId, redeemAllowance }: Row,
): Promise<"bounds" | null> {
  type Changed = { id: string; before: number };
  const [changed] =
    merchantId === null
      ? await tx.$queryRaw<Changed[]>`
          update platform_settings set redeem_allowance_ceiling = ${redeemAllowance}::int, updated_at = now()
          returning id::text as id, old.redeem_allowance_ceiling as before`
      : await tx.$queryRaw<Changed[]>`
          update merchants set redeem_allowance = ${redeemAllowance}::int, updated_at = now()
          where id = ${merchantId}::uuid
            and ${redeemAllowance}::int <= (select redeem_allowance_ceiling from platform_settings)
          returning id::text as id, old.redeem_allowance as before`;
  if (!changed) return "bounds";
  const name = allowanceName(merchantId);
  const record =
    merchantId === null
      ? ({ action: "platform.changed", entity: "platform" } as const)
      : ({ action: "merchant.settings", entity: "merchant" } as const);
  await audit(
    tx,
    { actor },
    {
      ...record,
      merchantId,
      entityId: changed.id,
      before: { [name]: changed.before },
      after: { [name]: redeemAllowance },
    },
  );
  return null;
}

/** The raise of a merchant's allowance, or of the platform's ceiling (null), that waits. */
export async function readPendingAllowance(
  { db, actor }: { db: Pick<Tx, "pendingChange">; actor: Context["actor"] },
  merchantId: string | null,
): Promise<PendingAllowance | null> {
  const row = await db.pendingChange.findFirst({
    where: { kind: "allowance", merchantId, closedAt: null },
    include: { askedBy: { select: { firstName: true, lastName: true } } },
  });
  if (!row || row.redeemAllowance === null) return null;
  // Any other change of it ends this one, so the value that it was asked at is still in force.
  const { [allowanceName(merchantId)]: before = 0 } = row.before as Record<string, number>;
  return { ...waitOf(row, actor), before, redeemAllowance: row.redeemAllowance };
}

/**
 * The raise of an allowance that waits: an owner's own merchant's, for an administrator a named merchant's or the
 * platform's ceiling. Throws merchant_not_found.
 */
export async function viewPendingAllowance(
  ctx: Context,
  input: ConfigScope,
): Promise<PendingAllowance | null> {
  const reach = authorize(ctx.actor, "config.read");
  const merchant = await configMerchant(ctx, reach, input.merchantId);
  return readPendingAllowance(ctx, merchant?.id ?? null);
}
viewPendingAllowance.permission = "config.read" as const;
viewPendingAllowance.input = configScopeSchema;
