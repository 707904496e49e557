import { audit } from "@/lib/audit/audit";
import type { Db, Tx } from "@/lib/db/client";
import { nothingSchema } from "@/lib/domain/ids";
import { operation } from "@/lib/operations/operation";
import {
  askForLimit,
  endPendingLimit,
  limitWaits,
  lockLimits,
  readPendingLimits,
} from "@/lib/points-config/pending-limits";
import { changePlatformSchema, type PlatformView } from "./model/merchant-settings";

/** The highest redeemAllowance that a merchant may set, in points. */
export async function ceilingOf(db: Db | Tx): Promise<number> {
  const row = await db.platformSettings.findUniqueOrThrow({ where: { single: true } });
  return row.redeemAllowanceCeiling;
}

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
