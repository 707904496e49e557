import { audit } from "@/lib/audit/audit";
import type { Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { Prisma, type PendingChange as Row } from "@/lib/db/generated/client";
import type { SystemActor } from "@/lib/domain/actor";
import type { PendingLimit } from "@/lib/merchants/model/merchant-settings";
import { operation } from "@/lib/operations/operation";
import { auditConfig, holdPoints } from "./config-versions";
import { configScopeSchema } from "./model";
import { HOURS, notifyAdministrators, replaceOpen, waitOf } from "./pending-changes";
import { configMerchant } from "./read-config";

/** The limits without proof: of a customer (null merchant: the platform's ceiling of it), and of a worker. */
export type LimitKind = "allowance" | "unproved";

function limitName(kind: LimitKind, merchantId: string | null): PendingLimit["name"] {
  if (kind === "unproved") return "unprovedWorkerDaily";
  return merchantId === null ? "redeemAllowanceCeiling" : "redeemAllowance";
}

export type Limits = Record<LimitKind, number>;

/** Locks and answers a merchant's limits, or the platform's ceiling (null); null for no such merchant. Each writer locks first. */
export async function lockLimits(tx: Tx, merchantId: string | null): Promise<Limits | null> {
  const [row] =
    merchantId === null
      ? await tx.$queryRaw<Limits[]>`
          select redeem_allowance_ceiling as allowance, 0 as unproved from platform_settings for no key update`
      : await tx.$queryRaw<Limits[]>`
          select redeem_allowance as allowance, unproved_worker_daily as unproved from merchants
          where id = ${merchantId}::uuid for no key update`;
  return row ?? null;
}

type Step = { now: number; wanted: number };

/**
 * Whether a change waits: a raise while customers hold points. A lower value takes power away. A top-up at the same moment has
 * no part in it: points that come later are redeemed under the limits that their holder finds.
 */
export async function limitWaits(tx: Tx, merchantId: string | null, { now, wanted }: Step): Promise<boolean> {
  const merchants = merchantId === null ? Prisma.sql`true` : Prisma.sql`m.id = ${merchantId}::uuid`;
  return wanted > now && (await holdPoints(tx, merchants));
}

/** Writes a raise that waits, in place of the one before, unless it is the same by the same person. The caller holds lockLimits. */
export async function askForLimit(
  tx: Tx,
  ctx: Context,
  merchantId: string | null,
  { kind, now, wanted }: Step & { kind: LimitKind },
): Promise<void> {
  const askedById = ctx.actor.userId;
  const set = {
    redeemAllowance: kind === "allowance" ? wanted : null,
    unprovedWorkerDaily: kind === "unproved" ? wanted : null,
  };
  const same = { kind, merchantId, closedAt: null, askedById, ...set };
  if ((await tx.pendingChange.count({ where: same })) > 0) return;
  await replaceOpen(tx, ctx, merchantId, { mailed: false, kind });
  const name = limitName(kind, merchantId);
  const written = await tx.$queryRaw<{ id: string }[]>`
    insert into pending_changes (kind, merchant_id, redeem_allowance, unproved_worker_daily, before, needs_approval, alone,
      mails, asked_by_id, effective_at)
    values (${kind}::"PendingKind", ${merchantId}::uuid, ${set.redeemAllowance}::int, ${set.unprovedWorkerDaily}::int,
      ${JSON.stringify({ [name]: now })}::jsonb, false, false, '{asked}', ${askedById}::uuid,
      now() + ${HOURS.waits}::int * interval '1 hour')
    returning id::text as id`;
  await auditConfig(tx, ctx, merchantId, "config.asked", [{ [name]: now }, { [name]: wanted }]);
  await notifyAdministrators(tx, ctx, merchantId, written);
}

/** Ends the raise that waits, because the limit is another one now, and mails the owners that it does not come. */
export const endPendingLimit = (tx: Tx, ctx: Context, merchantId: string | null, kind: LimitKind) =>
  replaceOpen(tx, ctx, merchantId, { mailed: true, kind });

type Changed = { id: string; before: number };

async function write(tx: Tx, { kind, merchantId, ...row }: Row): Promise<Changed | undefined> {
  const rows =
    kind === "unproved"
      ? await tx.$queryRaw<Changed[]>`
          update merchants set unproved_worker_daily = ${row.unprovedWorkerDaily}::int, updated_at = now()
          where id = ${merchantId}::uuid returning id::text as id, old.unproved_worker_daily as before`
      : merchantId === null
        ? await tx.$queryRaw<Changed[]>`
          update platform_settings set redeem_allowance_ceiling = ${row.redeemAllowance}::int, updated_at = now()
          returning id::text as id, old.redeem_allowance_ceiling as before`
        : await tx.$queryRaw<Changed[]>`
          update merchants set redeem_allowance = ${row.redeemAllowance}::int, updated_at = now()
          where id = ${merchantId}::uuid
            and ${row.redeemAllowance}::int <= (select redeem_allowance_ceiling from platform_settings)
          returning id::text as id, old.redeem_allowance as before`;
  return rows[0];
}

/** Puts a raise whose time has come in force, or answers that it is above today's ceiling. The caller holds lockLimits. */
export async function writeLimit(tx: Tx, actor: SystemActor, row: Row): Promise<"bounds" | null> {
  const changed = await write(tx, row);
  if (!changed) return "bounds";
  const { merchantId } = row;
  const limit = waitingLimit(row);
  if (!limit) throw new Error("this change raises no limit");
  const record =
    merchantId === null
      ? ({ action: "platform.changed", entity: "platform" } as const)
      : ({ action: "merchant.settings", entity: "merchant" } as const);
  const values = { before: { [limit.name]: changed.before }, after: { [limit.name]: limit.wanted } };
  await audit(tx, { actor }, { ...record, merchantId, entityId: changed.id, ...values });
  return null;
}

/** The limit that a waiting change raises, and to what; null for a change of the points configuration. */
export function waitingLimit({
  kind,
  merchantId,
  ...row
}: Row): Pick<PendingLimit, "name" | "wanted"> | null {
  const wanted = kind === "unproved" ? row.unprovedWorkerDaily : row.redeemAllowance;
  return kind === "points" || wanted === null ? null : { name: limitName(kind, merchantId), wanted };
}

/** The raises that wait of a merchant's limits, or of the platform's ceiling (null), by kind. */
export async function readPendingLimits(
  { db, actor }: { db: Pick<Tx, "pendingChange">; actor: Context["actor"] },
  merchantId: string | null,
): Promise<Record<LimitKind, PendingLimit | null>> {
  const rows = await db.pendingChange.findMany({
    where: { kind: { in: ["allowance", "unproved"] }, merchantId, closedAt: null },
    include: { askedBy: { select: { firstName: true, lastName: true } } },
    take: 2,
  });
  const of = (kind: LimitKind) => {
    const row = rows.find((one) => one.kind === kind);
    const limit = row && waitingLimit(row);
    if (!row || !limit) return null;
    // Any other change of it ends this one, so the value that it was asked at is still in force.
    const { [limit.name]: before = 0 } = row.before as Record<string, number>;
    return { ...waitOf(row, actor), ...limit, before };
  };
  return { allowance: of("allowance"), unproved: of("unproved") };
}

/** The raises that wait: an owner's own merchant's, for an administrator a named merchant's or the platform's ceiling. */
export const viewPendingLimits = operation({
  permission: "config.read",
  input: configScopeSchema,
  readOnly: true,
  run: async (ctx, input): Promise<PendingLimit[]> => {
    const merchant = await configMerchant(ctx, input.merchantId);
    const { allowance, unproved } = await readPendingLimits(ctx, merchant?.id ?? null);
    return [allowance, unproved].filter((one) => one !== null);
  },
});
