import { audit } from "@/lib/audit/audit";
import type { Db, Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { authorize } from "@/lib/domain/actor";
import {
  type ChangePlatform,
  changePlatformSchema,
  type PlatformSettings,
} from "@/lib/domain/merchant-settings";

/** The highest redeemAllowance that a merchant may set, in points. */
export async function ceilingOf(db: Db | Tx): Promise<number> {
  const row = await db.platformSettings.findUniqueOrThrow({ where: { single: true } });
  return row.redeemAllowanceCeiling;
}

/** The settings of the platform. */
export async function viewPlatform(ctx: Context, _input: Record<never, never>): Promise<PlatformSettings> {
  authorize(ctx.actor, "platform.settings");
  return { redeemAllowanceCeiling: await ceilingOf(ctx.db) };
}
viewPlatform.permission = "platform.settings" as const;

/** Changes the platform's settings. Merchants' allowances above a lowered ceiling stay until they are changed. */
export async function changePlatform(ctx: Context, input: ChangePlatform): Promise<PlatformSettings> {
  authorize(ctx.actor, "platform.settings");
  return ctx.db.$transaction(async (tx) => {
    const [row] = await tx.$queryRaw<{ id: string; before: number; after: number }[]>`
      update platform_settings set redeem_allowance_ceiling = ${input.redeemAllowanceCeiling}::int, updated_at = now()
      returning id::text as id, old.redeem_allowance_ceiling as before, new.redeem_allowance_ceiling as after`;
    if (!row) throw new Error("the platform's settings are missing");
    if (row.before !== row.after) {
      await audit(tx, ctx, {
        merchantId: null,
        action: "platform.changed",
        entity: "platform",
        entityId: row.id,
        before: { redeemAllowanceCeiling: row.before },
        after: { redeemAllowanceCeiling: row.after },
      });
    }
    return { redeemAllowanceCeiling: row.after };
  });
}
changePlatform.permission = "platform.settings" as const;
changePlatform.stepUp = true as const;
changePlatform.input = changePlatformSchema;
