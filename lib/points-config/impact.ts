import type { Db, Tx } from "@/lib/db/client";
import type { Context } from "@/lib/db/context";
import { authorize } from "@/lib/domain/actor";
import { cashValue } from "@/lib/domain/money";
import type { ConfigImpact } from "@/lib/domain/points-config";
import type { ConfigImpactQuery } from "@/lib/domain/schemas/points-config";
import { rulesInForce } from "./in-force";
import { configMerchant } from "./scope";

/**
 * The points that customers hold under one record: a merchant's, or the platform's when null (those of merchants
 * with rules of their own not counted).
 */
export async function outstandingUnder(db: Db | Tx, merchantId: string | null): Promise<number> {
  const [row] = merchantId
    ? await db.$queryRaw<{ points: bigint }[]>`
        select coalesce(sum(balance), 0)::bigint as points from customers where merchant_id = ${merchantId}::uuid`
    : await db.$queryRaw<{ points: bigint }[]>`
        with newest as (
          select distinct on (merchant_id) merchant_id, withdrawn from points_configs
          where merchant_id is not null order by merchant_id, version desc
        )
        select coalesce(sum(c.balance), 0)::bigint as points from customers c
        where not exists (select 1 from newest n where n.merchant_id = c.merchant_id and not n.withdrawn)`;
  return Number(row?.points ?? 0n);
}

/** What a new rate would mean for the points outstanding. Throws merchant_not_found. */
export async function configImpact(ctx: Context, input: ConfigImpactQuery): Promise<ConfigImpact> {
  const reach = authorize(ctx.actor, "config.edit");
  const merchant = await configMerchant(ctx, reach, input.merchantId);
  const id = merchant?.id ?? null;
  const [rules, points] = await Promise.all([rulesInForce(ctx.db, id), outstandingUnder(ctx.db, id)]);
  return {
    points,
    before: cashValue(points, rules.dirhamsPerPoint),
    after: cashValue(points, input.dirhamsPerPoint),
    refused: points > 0 && input.dirhamsPerPoint < rules.dirhamsPerPoint,
  };
}
configImpact.permission = "config.edit" as const;
