import type { Context } from "@/lib/db/context";
import { authorize } from "@/lib/domain/actor";
import type { ConfigInForce } from "@/lib/domain/points-config";
import type { ConfigScope } from "@/lib/domain/schemas/points-config";
import { rulesInForce } from "./in-force";
import { configMerchant } from "./scope";

/** The rules in force: an owner's own; for an administrator a merchant's, or the platform's. Throws merchant_not_found. */
export async function viewConfig(ctx: Context, input: ConfigScope): Promise<ConfigInForce> {
  const reach = authorize(ctx.actor, "config.read");
  const merchant = await configMerchant(ctx, reach, input.merchantId);
  return { ...(await rulesInForce(ctx.db, merchant?.id ?? null)), merchant };
}
viewConfig.permission = "config.read" as const;
