import type { Db, Tx } from "@/lib/db/client";
import type { RulesInForce } from "@/lib/domain/points";

/** The configuration in force for a merchant (its own override, else the platform's); for null, the platform's. */
export async function rulesInForce(db: Db | Tx, merchantId: string | null): Promise<RulesInForce> {
  const [rules] = await db.$queryRaw<RulesInForce[]>`
    SELECT dirhams_per_point AS "dirhamsPerPoint", min_top_up AS "minTopUp", max_top_up AS "maxTopUp",
      max_balance AS "maxBalance", undo_minutes AS "undoMinutes", worker_daily_cap AS "workerDailyCap",
      version, merchant_id IS NOT NULL AS overridden, created_at AS since
    FROM points_config_in_force(${merchantId}::uuid)`;
  if (!rules) throw new Error("the platform's first points configuration is missing");
  return rules;
}
