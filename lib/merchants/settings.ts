import { audit, auditMerchant, difference } from "@/lib/audit/audit";
import type { Db, Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { targetMerchantId, type UserActor } from "@/lib/domain/actor";
import { DomainError } from "@/lib/domain/errors";
import { byIdSchema, nothingSchema } from "@/lib/domain/ids";
import { operation } from "@/lib/operations/operation";
import {
  askForLimit,
  endPendingLimit,
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

type Reading = { db: Db | Tx; actor: UserActor };

const FIELDS = changeSettingsSchema.omit({ id: true }).keyof().options;
const select = Object.fromEntries(FIELDS.map((field) => [field, true])) as Record<
  keyof MerchantSettings,
  true
>;

/** The settings of a merchant. Throws merchant_not_found. */
async function readSettings(db: Db | Tx, id: string): Promise<MerchantSettings> {
  const settings = await db.merchant.findUnique({ where: { id }, select });
  if (!settings) throw new DomainError("merchant_not_found");
  return { ...settings, paperWidth: paperWidthOf(settings.paperWidth) };
}

/** The highest redeemAllowance that a merchant may set, in points. */
const readCeiling = (db: Db | Tx) =>
  db.platformSettings.findUniqueOrThrow({
    where: { single: true },
    select: { redeemAllowanceCeiling: true },
  });

async function platformOf(reading: Reading): Promise<PlatformView> {
  const { allowance: pending } = await readPendingLimits(reading, null);
  return { ...(await readCeiling(reading.db)), pending };
}

async function settingsOf(reading: Reading, id: string): Promise<SettingsView> {
  const settings = await readSettings(reading.db, id);
  const { allowance: pending, unproved: pendingWorker } = await readPendingLimits(reading, id);
  return { ...settings, ...(await readCeiling(reading.db)), pending, pendingWorker };
}

/** The settings of a merchant in the caller's scope. Throws merchant_not_found. */
export const viewSettings = operation({
  permission: "merchant.settings",
  input: byIdSchema,
  errors: ["merchant_not_found"],
  readOnly: true,
  run: async (ctx, input): Promise<SettingsView> => settingsOf(ctx, targetMerchantId(ctx.reach, input.id)),
});

/** The settings whose raise by an administrator waits. */
const LIMITS = [
  { field: "redeemAllowance", kind: "allowance" },
  { field: "unprovedWorkerDaily", kind: "unproved" },
] as const;

/**
 * Changes any settings. A raise of a redemption limit by an administrator takes effect after 24 hours while customers hold
 * points. Throws allowance_ceiling above the platform's ceiling; a limit from before the ceiling stays.
 */
export const changeSettings = operation({
  permission: "merchant.settings",
  input: changeSettingsSchema,
  errors: ["merchant_not_found", "allowance_ceiling"],
  // These two settings decide what customers may redeem without confirmation.
  stepUp: (_ctx: Context, { redeemAllowance, unprovedWorkerDaily }: ChangeSettings): boolean =>
    redeemAllowance !== undefined || unprovedWorkerDaily !== undefined,
  run: async (ctx, { id: requested, ...changes }): Promise<SettingsView> => {
    const { reach, actor } = ctx;
    const id = targetMerchantId(reach, requested);
    return ctx.db.$transaction(async (tx) => {
      // The lock holds until the write: what is read here is what changes.
      const limits = await lockLimits(tx, id);
      if (!limits) throw new DomainError("merchant_not_found");
      const before = await readSettings(tx, id);
      const { redeemAllowanceCeiling: limit } = await readCeiling(tx);
      const { redeemAllowance = limits.allowance } = changes;
      if (redeemAllowance !== limits.allowance && redeemAllowance > limit) {
        const problem = { path: "redeemAllowance", message: "validation.allowanceCeiling" };
        throw new DomainError("allowance_ceiling", { limit }, [problem]);
      }
      for (const { field, kind } of reach.scope === "any" ? LIMITS : []) {
        const wanted = changes[field];
        if (wanted === undefined) continue;
        const step = { now: limits[kind], wanted };
        if (!(await limitWaits(tx, id, step))) continue;
        await askForLimit(tx, ctx, id, { kind, ...step });
        delete changes[field];
      }
      const changed = difference(before, changes);
      if (changed) {
        await tx.merchant.update({ where: { id }, data: changes, select: { id: true } });
        for (const { field, kind } of LIMITS) {
          if (changed.after && field in changed.after) await endPendingLimit(tx, ctx, id, kind);
        }
        await auditMerchant(tx, ctx, id, { action: "merchant.settings", ...changed });
      }
      return settingsOf({ db: tx, actor }, id);
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
  run: async (ctx): Promise<PlatformView> => platformOf(ctx),
});

/** Changes the ceiling of allowances: a higher one waits 24 hours while any customer holds points. Higher allowances stay. */
export const changePlatform = operation({
  permission: "platform.settings",
  input: changePlatformSchema,
  stepUp: true,
  run: async (ctx, { redeemAllowanceCeiling: wanted }): Promise<PlatformView> =>
    ctx.db.$transaction(async (tx) => {
      const limits = await lockLimits(tx, null);
      if (!limits) throw new Error("the platform's settings are missing");
      const step = { now: limits.allowance, wanted };
      if (await limitWaits(tx, null, step)) {
        await askForLimit(tx, ctx, null, { kind: "allowance", ...step });
      } else if (wanted !== step.now) {
        const { id } = await tx.platformSettings.update({
          where: { single: true },
          data: { redeemAllowanceCeiling: wanted },
          select: { id: true },
        });
        await endPendingLimit(tx, ctx, null, "allowance");
        await audit(tx, ctx, {
          merchantId: null,
          action: "platform.changed",
          entity: "platform",
          entityId: id,
          before: { redeemAllowanceCeiling: step.now },
          after: { redeemAllowanceCeiling: wanted },
        });
      }
      return platformOf({ db: tx, actor: ctx.actor });
    }),
});
