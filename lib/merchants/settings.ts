import { audit, auditMerchant } from "@/lib/audit/audit";
import type { Db, Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { Prisma } from "@/lib/db/generated/client";
import { targetMerchantId } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { byIdSchema, nothingSchema } from "@/lib/domain/ids";
import { operation } from "@/lib/operations/operation";
import {
  askForLimit,
  endPendingLimit,
  type LimitKind,
  limitWaits,
  lockLimits,
  readPendingLimits,
} from "@/lib/points-config/pending-limits";
import { paperWidthOf } from "@/lib/receipts/model/receipt";
import {
  type ChangeSettings,
  changePlatformSchema,
  changeSettingsSchema,
  type MerchantSettings,
  type PlatformView,
  type SettingsView,
} from "./model/merchant-settings";

/** The highest redeemAllowance that a merchant may set, in points. */
async function ceilingOf(db: Db | Tx): Promise<number> {
  const row = await db.platformSettings.findUniqueOrThrow({ where: { single: true } });
  return row.redeemAllowanceCeiling;
}

/** The settings' columns with the types that their parameters need. */
const COLUMNS: Record<keyof MerchantSettings, { name: string; type: string }> = {
  spendOrder: { name: "spend_order", type: '"SpendOrder"' },
  refundDays: { name: "refund_days", type: "int" },
  tillRequired: { name: "till_required", type: "boolean" },
  idleLockMinutes: { name: "idle_lock_minutes", type: "int" },
  offlineMaxTopUp: { name: "offline_max_top_up", type: "int" },
  offlineMaxTotal: { name: "offline_max_total", type: "int" },
  drawerTolerance: { name: "drawer_tolerance", type: "int" },
  unprovedWorkerDaily: { name: "unproved_worker_daily", type: "int" },
  redeemAllowance: { name: "redeem_allowance", type: "int" },
  tenders: { name: "tenders", type: '"Tender"[]' },
  askSaleRef: { name: "ask_sale_ref", type: "boolean" },
  paperWidth: { name: "paper_width", type: "int" },
};
const FIELDS = Object.keys(COLUMNS) as (keyof MerchantSettings)[];
const select = Object.fromEntries(FIELDS.map((field) => [field, true])) as Record<
  keyof MerchantSettings,
  true
>;

/** The settings of a merchant in the caller's scope. Throws merchant_not_found. */
export const viewSettings = operation({
  permission: "merchant.settings",
  input: byIdSchema,
  errors: ["merchant_not_found"],
  readOnly: true,
  run: async (ctx, input): Promise<SettingsView> => {
    const id = targetMerchantId(ctx.reach, input.id);
    const [settings, redeemAllowanceCeiling, waiting] = await Promise.all([
      ctx.db.merchant.findUnique({ where: { id }, select }),
      ceilingOf(ctx.db),
      readPendingLimits(ctx, id),
    ]);
    if (!settings) throw new DomainError("merchant_not_found");
    const { allowance: pending, unproved: pendingWorker } = waiting;
    const paperWidth = paperWidthOf(settings.paperWidth);
    return { ...settings, paperWidth, redeemAllowanceCeiling, pending, pendingWorker };
  },
});

/** The settings of `old` or `new` as one JSON value. */
const asJson = (row: "old" | "new"): Prisma.Sql =>
  Prisma.raw(
    `jsonb_build_object(${FIELDS.map((field) => `'${field}', ${row}.${COLUMNS[field].name}`).join(", ")})`,
  );

type Changed = { before: MerchantSettings; after: MerchantSettings };

/**
 * Writes the given settings in one statement. The statement also decides whether the redemption limit is
 * legal: up to the platform's ceiling, or unchanged. A limit from before the ceiling stays until it is
 * changed.
 */
async function write(tx: Tx, id: string, changes: Partial<MerchantSettings>): Promise<Changed | undefined> {
  const given = FIELDS.filter((field) => changes[field] !== undefined);
  const assignments = given.map(
    (field) =>
      Prisma.sql`${Prisma.raw(COLUMNS[field].name)} = ${changes[field]}::${Prisma.raw(COLUMNS[field].type)}`,
  );
  const allowance = changes.redeemAllowance ?? null;
  const [changed] = await tx.$queryRaw<Changed[]>`
    update merchants m set ${Prisma.join([...assignments, Prisma.sql`updated_at = now()`])}
    where m.id = ${id}::uuid and (${allowance}::int is null or ${allowance}::int = m.redeem_allowance
      or ${allowance}::int <= (select redeem_allowance_ceiling from platform_settings))
    returning ${asJson("old")} as before, ${asJson("new")} as after`;
  return changed;
}

/** The fields that differ, with their values before and after. */
function difference({ before, after }: Changed) {
  const changed = FIELDS.filter((field) => String(before[field]) !== String(after[field]));
  const of = (settings: MerchantSettings) =>
    Object.fromEntries(changed.map((field) => [field, settings[field]]));
  return changed.length > 0 ? { before: of(before), after: of(after) } : null;
}

async function refusal(db: Db | Tx, id: string): Promise<DomainError> {
  const found = await db.merchant.findUnique({ where: { id }, select: { id: true } });
  if (!found) return new DomainError("merchant_not_found");
  const problem = { path: "redeemAllowance", message: "validation.allowanceCeiling" };
  return new DomainError("allowance_ceiling", { limit: await ceilingOf(db) }, [problem]);
}

/** The settings whose raise by an administrator waits. */
const LIMITS = { redeemAllowance: "allowance", unprovedWorkerDaily: "unproved" } as const satisfies Partial<
  Record<keyof MerchantSettings, LimitKind>
>;
type LimitField = keyof typeof LIMITS;
const LIMIT_FIELDS = Object.keys(LIMITS) as LimitField[];

/** Writes the raises among these changes as changes that wait. Answers their fields. Throws as changeSettings. */
async function askForRaises(
  tx: Tx,
  ctx: Context,
  id: string,
  changes: Partial<Record<LimitField, number | undefined>>,
): Promise<LimitField[]> {
  const now = await lockLimits(tx, id);
  const asked: LimitField[] = [];
  for (const field of LIMIT_FIELDS) {
    const [kind, wanted] = [LIMITS[field], changes[field]];
    if (wanted === undefined || now === null) continue;
    const step = { now: now[kind], wanted };
    if (!(await limitWaits(tx, id, step))) continue;
    if (kind === "allowance" && wanted > (await ceilingOf(tx))) throw await refusal(tx, id);
    await askForLimit(tx, ctx, id, { kind, ...step });
    asked.push(field);
  }
  return asked;
}

/**
 * Changes any of a merchant's settings. Answers the settings and the pending changes. If an administrator
 * raises the redemption limit of a card or of an employee, the raise takes effect after 24 hours while
 * customers hold points. The audit log gets the changed settings with their values before and after. Throws
 * merchant_not_found, and allowance_ceiling for a redeemAllowance above the platform's ceiling.
 */
export const changeSettings = operation({
  permission: "merchant.settings",
  input: changeSettingsSchema,
  errors: ["merchant_not_found", "allowance_ceiling"],
  // These two settings decide what customers may redeem without confirmation.
  stepUp: (_ctx: Context, { redeemAllowance, unprovedWorkerDaily }: ChangeSettings): boolean =>
    redeemAllowance !== undefined || unprovedWorkerDaily !== undefined,
  run: async (ctx, input): Promise<SettingsView> => {
    const { id: requested, ...changes } = input;
    const reach = ctx.reach;
    const id = targetMerchantId(reach, requested);
    const isAdministrator = reach.scope === "any";
    return ctx.db.$transaction(async (tx) => {
      if (LIMIT_FIELDS.some((field) => changes[field] !== undefined)) {
        if (isAdministrator)
          for (const field of await askForRaises(tx, ctx, id, changes)) delete changes[field];
        else await lockLimits(tx, id);
      }
      const changed = await write(tx, id, changes as Partial<MerchantSettings>);
      if (!changed) throw await refusal(tx, id);
      for (const field of LIMIT_FIELDS) {
        if (changed.before[field] !== changed.after[field]) await endPendingLimit(tx, ctx, id, LIMITS[field]);
      }
      const values = difference(changed);
      if (values) await auditMerchant(tx, ctx, id, { action: "merchant.settings", ...values });
      const { allowance, unproved } = await readPendingLimits({ db: tx, actor: ctx.actor }, id);
      const redeemAllowanceCeiling = await ceilingOf(tx);
      return { ...changed.after, redeemAllowanceCeiling, pending: allowance, pendingWorker: unproved };
    });
  },
});

/** For how many days the caller may refund redemptions as a worker; 0 for everyone else. */
export const workerRefundDays = operation({
  permission: "money.refund",
  input: nothingSchema,
  readOnly: true,
  run: async (ctx): Promise<number> => {
    const { role, merchantId, merchantSuspension } = ctx.actor;
    if (role !== "branch_worker" || merchantId === null || merchantSuspension !== null) return 0;
    const found = await ctx.db.merchant.findUnique({
      where: { id: merchantId },
      select: { refundDays: true },
    });
    return found?.refundDays ?? 0;
  },
});

/** The settings of the platform, and the higher ceiling that waits. */
export const viewPlatform = operation({
  permission: "platform.settings",
  input: nothingSchema,
  readOnly: true,
  run: async (ctx): Promise<PlatformView> => {
    const [redeemAllowanceCeiling, { allowance: pending }] = await Promise.all([
      ceilingOf(ctx.db),
      readPendingLimits(ctx, null),
    ]);
    return { redeemAllowanceCeiling, pending };
  },
});

/**
 * Changes the platform's settings, and answers them with what waits: a higher ceiling takes effect after 24 hours while
 * any customer holds points. Merchants' allowances above a lowered ceiling stay until they are changed.
 */
export const changePlatform = operation({
  permission: "platform.settings",
  input: changePlatformSchema,
  stepUp: true,
  run: async (ctx, input): Promise<PlatformView> => {
    const wanted = input.redeemAllowanceCeiling;
    return ctx.db.$transaction(async (tx) => {
      const now = (await lockLimits(tx, null))?.allowance;
      const view = async (redeemAllowanceCeiling: number): Promise<PlatformView> => {
        const { allowance: pending } = await readPendingLimits({ db: tx, actor: ctx.actor }, null);
        return { redeemAllowanceCeiling, pending };
      };
      if (now !== undefined && (await limitWaits(tx, null, { now, wanted }))) {
        await askForLimit(tx, ctx, null, { kind: "allowance", now, wanted });
        return view(now);
      }
      const [row] = await tx.$queryRaw<{ id: string; before: number; after: number }[]>`
      update platform_settings set redeem_allowance_ceiling = ${wanted}::int, updated_at = now()
      returning id::text as id, old.redeem_allowance_ceiling as before, new.redeem_allowance_ceiling as after`;
      if (!row) throw new Error("the platform's settings are missing");
      if (row.before !== row.after) {
        await endPendingLimit(tx, ctx, null, "allowance");
        await audit(tx, ctx, {
          merchantId: null,
          action: "platform.changed",
          entity: "platform",
          entityId: row.id,
          before: { redeemAllowanceCeiling: row.before },
          after: { redeemAllowanceCeiling: row.after },
        });
      }
      return view(row.after);
    });
  },
});
